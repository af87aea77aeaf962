import { describe, expect, it, vi } from "vitest";
import { Ledger } from "../../../src/domain/jobs/ledger.ts";
import { type TestCore, testCore } from "../../support/core.ts";
import { aRequest } from "../../support/job.ts";
import { testSandbox } from "../../support/sandbox.ts";
import { MemorySurface, person } from "../../support/surface.ts";
import { PATIENCE_MS } from "../../support/patience.ts";

const ann = person("198765432", "telegram");

const lastNotice = ({ surface }: TestCore) => surface.showing("notice").at(-1);
const said = (core: TestCore) => lastNotice(core)?.text.key;
const tokens = (view: { readonly actions?: readonly { readonly token: string }[] } | undefined) =>
  view?.actions?.map(({ token }) => token);

async function forgetNow(core: TestCore): Promise<void> {
  const { intake } = core.surface;
  await intake.command(ann, "forget", {});
  const token = tokens(lastNotice(core))?.find((one) => one.startsWith("forget-now:"));
  await intake.act(ann, token ?? "");
}

describe.concurrent("to be forgotten", () => {
  it("takes no waiting for a result that was seen before, which no key reads any more", async () => {
    await using sandbox = await testSandbox();
    await using core = await testCore(sandbox, {
      surface: new MemorySurface("telegram"),
      sharedKey: undefined,
    });
    const { surface, database } = core;
    const ledger = new Ledger(database, "looking");
    const untilNothingGoesOn = () =>
      vi.waitFor(async () => expect(await ledger.count({ goingOn: true })).toBe(0), PATIENCE_MS);
    await surface.intake.command(ann, "connect", { key: sandbox.keys.pro });
    await surface.intake.command(ann, "image", { prompt: "a lighthouse" });
    const [made] = await surface.results(1);
    const id = made?.job.id ?? "";
    await untilNothingGoesOn();
    await surface.intake.command(ann, "disconnect", {});
    await surface.intake.act(ann, `show:${id}`);
    await vi.waitFor(() => expect(said(core)).toBe("show.needs_key"), PATIENCE_MS);
    expect(tokens(lastNotice(core))).toEqual(["reconnect:key", `show:${id}`]);
    await untilNothingGoesOn();
    // It is as finished as before.
    expect(await ledger.find(id)).toMatchObject({ delivery: "delivered", awaits: null });
    expect(surface.showing("problem")).toEqual([]);

    // A key that reads nothing of it.
    await surface.intake.command(ann, "connect", { key: sandbox.keys.ultra });
    await surface.intake.act(ann, `show:${id}`);
    await forgetNow(core);
    expect(said(core)).toBe("forget.done");
    expect(await ledger.count({ user: ann.user })).toBe(0);
  });

  it("gives up what waits for a key, and says so before; all else is to be waited for", async () => {
    await using sandbox = await testSandbox();
    await using core = await testCore(sandbox, { surface: new MemorySurface("telegram") });
    const ledger = new Ledger(core.database, "past");
    let job = await ledger.add(aRequest({ user: ann.user, surface: "telegram" }), 1);
    job = await ledger.apply(job, { type: "submitting", at: 1, balance: null });
    job = await ledger.apply(job, { type: "accepted", at: 1, serviceId: job.id, cost: 1, balance: null });
    await core.surface.intake.command(ann, "forget", {});
    const refusal = core.surface.showing("problem").at(-1);
    expect(refusal?.problem.code).toBe("jobs_open");
    expect(tokens(refusal)).toEqual(["jobs:"]);

    await ledger.apply(job, { type: "held", awaits: "key", until: Date.now() + 60_000 });
    await core.surface.intake.command(ann, "forget", {});
    expect(lastNotice(core)?.facts).toContainEqual({
      label: "forget.unread",
      value: { key: "fact.number", params: { count: 1 } },
    });
    await forgetNow(core);
    expect(said(core)).toBe("forget.done");
    expect(await ledger.count({ user: ann.user })).toBe(0);
  });

  it("asks anew where something waits for a key since it asked: one refusal may pass", async () => {
    await using sandbox = await testSandbox();
    await using core = await testCore(sandbox, { surface: new MemorySurface("telegram") });
    const { intake } = core.surface;
    await intake.command(ann, "forget", {});
    const token = tokens(lastNotice(core))?.find((one) => one.startsWith("forget-now:")) ?? "";
    const ledger = new Ledger(core.database, "past");
    let job = await ledger.add(aRequest({ user: ann.user, surface: "telegram" }), 1);
    job = await ledger.apply(job, { type: "submitting", at: 1, balance: null });
    job = await ledger.apply(job, { type: "accepted", at: 1, serviceId: job.id, cost: 1, balance: null });
    await ledger.apply(job, { type: "held", awaits: "key", until: Date.now() + 60_000 });
    await intake.act(ann, token);
    expect(said(core)).toBe("forget.ask");
    expect(lastNotice(core)?.facts).toContainEqual({
      label: "forget.unread",
      value: { key: "fact.number", params: { count: 1 } },
    });
    expect(await ledger.count({ user: ann.user })).toBe(1);
    await forgetNow(core);
    expect(said(core)).toBe("forget.done");
  });

  it("is asked for anew where something was made since a press that an earlier process left, however old that is", async () => {
    await using sandbox = await testSandbox();
    await using core = await testCore(sandbox, { surface: new MemorySurface("telegram") });
    const { surface, database } = core;
    const { intake } = surface;
    const ledger = new Ledger(database, "looking");
    const pressedAt = Date.now() - 3_600_000;
    const press = (name: string, at = pressedAt, said = "-0") =>
      intake.act({ ...ann, pressedAt: at }, `${name}:${pressedAt + 60_000}${said}`);
    await intake.command(ann, "image", { prompt: "a lighthouse" });
    await surface.results(1);
    await vi.waitFor(async () => expect(await ledger.count({ goingOn: true })).toBe(0), PATIENCE_MS);
    for (const name of ["forget-now", "forget-all"]) {
      await press(name);
      expect(said(core)).toBe("forget.ask");
    }
    await press("delete-all-now", pressedAt, "");
    expect(said(core)).toBe("job.deleted");
    expect(await ledger.count({ user: ann.user })).toBe(1);

    // Pressed too late it was nothing from the beginning.
    await press("forget-now", pressedAt + 61_000);
    expect(surface.showing("problem").at(-1)?.problem.code).toBe("stale_button");
  });
});
