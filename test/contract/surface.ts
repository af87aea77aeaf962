import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { action } from "../../src/seam/text/actions.ts";
import type { Intake, Surface } from "../../src/seam/surface/surface.ts";
import type { Address, MediaRef, Receipt } from "../../src/seam/values.ts";
import type { JobSummary, ResultView, View } from "../../src/seam/views.ts";
import { BUTTONS, COMMAND_SPECS } from "../../src/domain/dispatch/registry.ts";
import { noJobs } from "../support/job-access.ts";
import { noPeople } from "../support/no-people.ts";
import { noKeys } from "../support/no-keys.ts";
import { noOthers } from "../support/no-others.ts";

/** A surface on its platform, or on a fake that refuses what the platform refuses. */
export interface Harness extends AsyncDisposable {
  readonly surface: Surface;
  /** What it may ask of the core; by default nothing that it does not ask by itself. */
  readonly intake?: Intake;
  /** Where a person reads. */
  readonly address: Address;
  /** A picture that the person gave, and what is in it. */
  readonly picture: MediaRef;
  readonly pictureBytes: Buffer;
  /** One that the platform no longer has. */
  readonly gone: MediaRef;
  /** The files that the person has got for a job, as often as they have got them. */
  filesOf(job: JobSummary): Promise<readonly Buffer[]>;
}

const clip = Buffer.from("not a film, but bytes that must arrive as they are".repeat(2_000));

/** The job that results are of. */
export const job: JobSummary = {
  id: "0mwprskck334cb5f05e",
  operation: "video",
  values: { prompt: "slow zoom" },
  createdAt: 1,
};

/** A result whose file opens as given. */
function result(open: () => Readable = () => Readable.from([clip])): ResultView {
  const media = {
    kind: "video",
    name: "video",
    open: async () => ({ stream: open(), type: "video/mp4" }),
  } as const;
  return {
    kind: "result",
    job,
    media: [media],
    cost: 2.7,
    balance: 97.3,
    tookMs: 9_000,
    spoiler: false,
    actions: [],
  };
}

const views: readonly Exclude<View, ResultView>[] = [
  {
    kind: "notice",
    text: { key: "help.text" },
    actions: [action("delete-now", job.id, "action.delete_now", "danger")],
  },
  {
    kind: "notice",
    text: { key: "balance.own" },
    facts: [{ label: "fact.balance", value: { key: "fact.tokens", params: { tokens: 4.5 } } }],
  },
  { kind: "progress", job, phase: "queued", ahead: 2, actions: [action("cancel", job.id, "action.cancel")] },
  { kind: "progress", job, phase: "unreachable" },
  { kind: "progress", job, phase: "submitting" },
  { kind: "progress", job, phase: "checking" },
  { kind: "progress", job, phase: "running", percent: 40, expectedAt: 10_000, cost: 2.7 },
  { kind: "progress", job, phase: "sending", percent: 99 },
  {
    kind: "menu",
    title: { key: "jobs.title" },
    items: [{ title: { key: "jobs.line", params: { operation: "video", text: "x" } }, actions: [] }],
  },
  { kind: "problem", problem: { code: "job_failed", params: { reason: "no" } }, job, charged: 2.7 },
  { kind: "problem", problem: { code: "field_required", params: { field: "image" } }, charged: 0 },
  { kind: "problem", problem: { code: "lost_track", params: {} }, job, charged: null },
];

/** An intake that takes everything, and does nothing. */
export const intake: Intake = {
  commands: COMMAND_SPECS,
  commandsFor: () => COMMAND_SPECS,
  buttons: BUTTONS,
  jobs: noJobs,
  people: async () => noPeople,
  keys: noKeys,
  runners: noOthers,
  wantsKey: async () => false,
  run: async () => {},
  connect: async () => {},
  command: async () => true,
  answer: async () => true,
  act: async () => {},
  suggest: async () => [],
  admit: async () => {},
  quote: async () => ({ tokens: null, basis: "unknown", balance: null, asks: [] }),
  mayBegin: async () => false,
  tokensLeft: async () => null,
  preferences: async () => ({ locale: "en", spendBelow: null, stated: [] }),
  examine: async () => [],
  chatOpened: async () => {},
  notArrived: async () => {},
  rulesIn: async () => ({}),
  groupMoved: async () => {},
  forgetGroup: async () => {},
};

/** What the ledger makes of a receipt or an address: JSON, read back. */
const kept = <T extends Receipt | Address>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** What every surface must do, whatever its platform is. */
export function surfaceContract(name: string, harnessed: () => Promise<Harness>): void {
  async function started(): Promise<Harness> {
    const harness = await harnessed();
    await harness.surface.start(harness.intake ?? intake);
    return harness;
  }

  describe(`${name} keeps the contract of surfaces`, () => {
    it("is ready from its start until its stop", async () => {
      await using harness = await started();
      expect(harness.surface.ready()).toBe(true);
      expect(harness.surface.limits.maxUploadBytes).toBeGreaterThan(0);
      expect(harness.surface.limits.editIntervalMs).toBeGreaterThan(0);
      await harness.surface.stop();
      expect(harness.surface.ready()).toBe(false);
    });

    it("delivers every kind of view, and revises it by a receipt that was kept as JSON", async () => {
      await using harness = await started();
      for (const view of views) {
        const receipt = await harness.surface.deliver(kept(harness.address), view);
        const again = await harness.surface.revise(kept(receipt), view);
        expect(kept(again)).toEqual(again);
      }
    });

    it("delivers a result's file as it is", async () => {
      await using harness = await started();
      await harness.surface.deliver(kept(harness.address), result());
      expect(await harness.filesOf(job)).toEqual([clip]);
    });

    it("writes that it told how a job ended where it says so, and leaves that to others otherwise", async () => {
      await using harness = await started();
      const told: Receipt[] = [];
      const write = async (receipt: Receipt) => void told.push(kept(receipt));
      const receipt = await harness.surface.deliver(harness.address, result(), write);
      expect(told).toEqual(harness.surface.tellsIn === "database" ? [kept(receipt)] : []);
    });

    it("replaces a job's progress by its result", async () => {
      await using harness = await started();
      const receipt = await harness.surface.deliver(harness.address, {
        kind: "progress",
        job,
        phase: "running",
      });
      await harness.surface.revise(kept(receipt), result());
      expect(await harness.filesOf(job)).toEqual([clip]);
    });

    it("shows a result once that is delivered again after a crash", async () => {
      await using harness = await started();
      const receipt = await harness.surface.deliver(harness.address, result());
      await harness.surface.revise(kept(receipt), result());
      await harness.surface.deliver(harness.address, result());
      expect(await harness.filesOf(job)).toEqual([clip]);
    });

    it("fails in a way that is tried again when the file breaks off, and leaves nothing half", async () => {
      await using harness = await started();
      const broken = () =>
        Readable.from(
          (async function* () {
            yield clip.subarray(0, 1_000);
            throw new Error("The line broke.");
          })(),
        );
      const failure = await harness.surface
        .deliver(harness.address, result(broken))
        .catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(Error);
      expect(failure).not.toMatchObject({ code: "undeliverable" });
      expect(await harness.filesOf(job)).toEqual([]);
      await harness.surface.deliver(harness.address, result());
      expect(await harness.filesOf(job)).toEqual([clip]);
    });

    it("opens a person's picture as often as it is wanted", async () => {
      await using harness = await started();
      for (let nth = 0; nth < 2; nth++) {
        const stream = await harness.surface.openMedia(kept(harness.picture));
        expect(await buffer(stream)).toEqual(harness.pictureBytes);
      }
    });

    it("says when a picture is gone", async () => {
      await using harness = await started();
      await expect(harness.surface.openMedia(harness.gone)).rejects.toMatchObject({ code: "media_gone" });
    });

    it("forgets a person that it never knew", async () => {
      await using harness = await started();
      await expect(harness.surface.forget(`${harness.surface.name}:nobody`)).resolves.toBeUndefined();
    });

    it("asks for what is missing", async () => {
      await using harness = await started();
      const [{ name: id, fields } = { name: "", fields: [] }] = COMMAND_SPECS;
      const values = { prompt: "slow zoom", image: harness.picture };
      const form = {
        id,
        title: { key: "form.change" },
        fields,
        values,
        submit: { key: "form.generate" },
      } as const;
      await expect(harness.surface.collect(harness.address, form)).resolves.toBeUndefined();
    });
  });
}
