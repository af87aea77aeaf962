import { describe, expect, it } from "vitest";
import type { JobEvent, OpenTransaction } from "../../../src/seam/events.ts";
import { memory } from "../../../src/infrastructure/storage/key-value.ts";
import { hearJob } from "../../support/followed.ts";
import { ACME, harness } from "./harness.ts";

const happened = (type: JobEvent["type"], data: JobEvent["data"] = {}, job = "j1") => ({
  user: ACME,
  job,
  type,
  data,
});

describe("events", () => {
  it("are read in their order, from any of them on, job by job", async () => {
    await using acme = await harness();
    const { events } = acme;
    const first = await events.append(happened("job.progress", { progress: 1 }));
    await events.append(happened("job.progress", {}, "another"));
    const second = await events.append(happened("job.progress", { progress: 50 }));
    const end = await events.append(happened("job.completed", { url: "…" }));
    expect(first).toMatchObject({ job: "j1", type: "job.progress", data: { progress: 1 }, at: acme.now() });
    expect(await events.since("j1", 0)).toEqual([first, second, end]);
    expect(await events.since("j1", first.id)).toEqual([second, end]);
    expect(await events.since("j1", end.id)).toEqual([]);
    expect(await events.since("unknown", 0)).toEqual([]);
  });

  it("come to their end once, whatever comes after it", async () => {
    await using acme = await harness();
    const heard: JobEvent[] = [];
    hearJob(acme.events, "j1", (event) => void heard.push(event));
    const end = await acme.events.append(happened("job.completed", 1));
    for (const type of ["job.completed", "job.failed", "job.cancelled", "job.progress"] as const)
      expect(await acme.events.append(happened(type, 2))).toEqual(end);
    expect(await acme.events.since("j1", 0)).toEqual([end]);
    // They are read before they are told.
    await expect.poll(() => heard.length).toBeGreaterThan(0);
    expect(heard).toEqual([end]);
  });

  it("come to one end, whichever process tells of it first", async () => {
    await using one = await harness();
    await using two = await harness({ folder: one.folder });
    const end = await one.events.append(happened("job.completed"));
    expect(await two.events.append(happened("job.failed"))).toEqual(end);
  });

  it("are written with what else is to be, or not at all", async () => {
    await using acme = await harness();
    const store = memory(acme.database, "notes");
    const noting =
      (value: number, fails = false) =>
      async (within: OpenTransaction) => {
        await store.within(within).set("j1", value);
        if (fails) throw new Error("taken over");
      };
    await expect(acme.events.append(happened("job.completed", 1), noting(1, true))).rejects.toThrow("taken");
    expect([await acme.events.since("j1", 0), await store.get("j1")]).toEqual([[], undefined]);
    const end = await acme.events.append(happened("job.completed", 2), noting(2));
    // What came after the end is none, and is noted.
    expect(await acme.events.append(happened("job.failed", 3), noting(3))).toEqual(end);
    expect(await store.get("j1")).toBe(3);
  });

  it("are told to those who follow, as long as they do", async () => {
    await using acme = await harness();
    const heard: number[] = [];
    const leave = hearJob(acme.events, "j1", ({ id }) => void heard.push(id));
    const { id } = await acme.events.append(happened("job.progress"));
    await acme.events.append(happened("job.progress", {}, "another"));
    await expect.poll(() => heard.length).toBeGreaterThan(0);
    leave();
    await acme.events.append(happened("job.completed"));
    expect(heard).toEqual([id]);
  });

  it("are told of whichever process writes them, in their order", async () => {
    await using here = await harness();
    await using there = await harness({ folder: here.folder });
    const heard: JobEvent[] = [];
    const leave = hearJob(here.events, "j1", (event) => void heard.push(event));
    const told: JobEvent[] = [];
    for (const { events } of [there, here, there]) {
      told.push(await events.append(happened("job.progress")));
      await expect.poll(() => heard).toEqual(told);
    }
    told.push(await there.events.append(happened("job.completed")));
    await expect.poll(() => heard).toEqual(told);
    leave();
  });

  it("are read by a later process, and have ids that are never used again", async () => {
    const first = await harness();
    const { id } = await first.events.append(happened("job.progress"));
    expect(await first.events.since("j1", 0)).toHaveLength(1);
    await first.events.forget("j1");
    await first[Symbol.asyncDispose]();
    await using next = await harness({ folder: first.folder });
    expect(await next.events.since("j1", 0)).toEqual([]);
    const later = await next.events.append(happened("job.progress"));
    expect(later.id).toBeGreaterThan(id);
  });

  it("are not written where what they cause cannot be", async () => {
    await using acme = await harness();
    const callback = { url: "no address", events: ["job.completed"] } as const;
    await expect(acme.events.append({ ...happened("job.completed"), callback })).rejects.toThrow(
      "Invalid URL",
    );
    expect(await acme.events.since("j1", 0)).toEqual([]);
  });
});
