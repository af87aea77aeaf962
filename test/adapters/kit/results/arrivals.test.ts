import { describe, expect, it } from "vitest";
import { ChatNotes } from "../../../../adapters/kit/messages/notes.ts";
import { Windows } from "../../../../adapters/kit/messages/windows.ts";
import { Arrivals } from "../../../../adapters/kit/results/arrivals.ts";
import { fileDeliveries } from "../../../../adapters/kit/results/file-by-file.ts";
import { openDatabase } from "../../../../src/infrastructure/storage/database.ts";
import { memory } from "../../../../src/infrastructure/storage/key-value.ts";
import { temporaryFolder } from "../../../support/sandbox.ts";

const ann = "whatsapp:1650";

/** What was posted. */
interface Posted {
  readonly message: string;
  readonly url?: string;
}

/** @param names those that were posted */
const way = (as: string, names: string[]) =>
  [
    as,
    async (name: string) => {
      names.push(name);
      return { message: `${as}-1` };
    },
  ] as const;

/** A job's result that is posted as a video, else as a document; and which jobs are to be told anew. */
async function posting() {
  const database = await openDatabase(`${temporaryFolder()}/reelay.db`);
  const entries = memory(database, "arrivals");
  const deliveries = fileDeliveries<object, Posted>(entries, () => ann);
  const again: string[] = [];
  const names: string[] = [];
  const arrivals = new Arrivals({
    notes: new ChatNotes(entries),
    windows: new Windows(entries, 1_000),
    deliveries,
    intake: {
      async notArrived(_user, job) {
        again.push(job);
      },
    },
  });
  return {
    arrivals,
    deliveries,
    again,
    names,
    post: () =>
      arrivals.firstTaken(
        ann,
        "job",
        [way("video", names), way("document", names)],
        (error) => error instanceof Error && error.message === "refused",
        (hindrance) => new Error(hindrance),
      ),
    note: (message: string) =>
      deliveries.keep("job", { address: {}, posted: [{ message }], pending: false, complete: true }),
    [Symbol.asyncDispose]: () => database.close(),
  };
}

describe("a result that its platform took and could not bring", () => {
  it("is forgotten and told anew in another form", async () => {
    await using on = await posting();
    expect(await on.post()).toEqual({ message: "video-1" });
    await on.note("video-1");
    await on.arrivals.failed(ann, "video-1", "refused");
    expect(on.again).toEqual(["job"]);
    expect(await on.deliveries.find("job")).toBeUndefined();
    expect(await on.post()).toEqual({ message: "document-1" });
  });

  it("is told anew although it is noted as posted only after it is heard that it did not arrive", async () => {
    await using on = await posting();
    await on.post();
    await on.arrivals.failed(ann, "video-1", "down");
    await on.note("video-1");
    expect(on.again).toEqual(["job"]);
    await on.arrivals.forgetLost(ann, "job");
    expect(await on.deliveries.find("job")).toBeUndefined();
  });

  it("is posted in another form at once where that is heard before the answer", async () => {
    await using on = await posting();
    await on.arrivals.failed(ann, "video-1", "refused");
    expect(await on.post()).toEqual({ message: "document-1" });
    await on.note("document-1");
    expect(on.again).toEqual([]);
    // Heard once more, it takes nothing from what is there.
    await on.arrivals.failed(ann, "video-1", "refused");
    await on.arrivals.forgetLost(ann, "job");
    expect(await on.deliveries.find("job")).toMatchObject({ posted: [{ message: "document-1" }] });
    expect(on.again).toEqual([]);
  });

  it("has another name each time, so that what is known of the one that was lost is not taken for it", async () => {
    await using on = await posting();
    await on.post();
    await on.arrivals.failed(ann, "video-1", "down");
    await expect(on.post()).rejects.toThrow("down");
    await expect(on.post()).rejects.toThrow("down");
    await on.arrivals.postAnew(ann, "job");
    await expect(on.post()).rejects.toThrow("down");
    expect(on.names).toEqual(["job:video:0", "job:video:1", "job:video:2", "job:video:4"]);
  });

  it("is left where it is once it has arrived", async () => {
    await using on = await posting();
    await on.post();
    await on.note("video-1");
    await on.arrivals.arrived(ann, "video-1");
    await on.arrivals.failed(ann, "video-1", "down");
    expect(on.again).toEqual([]);
  });
});
