import { join } from "node:path";
import type { Readable } from "node:stream";
import { vi } from "vitest";
import type { Account, Accounts, AccountCallOptions } from "../../src/domain/accounts/accounts.ts";
import type { AccountReading } from "../../src/domain/accounts/reading.ts";
import type { MediaApi } from "../../src/infrastructure/api/media-api.ts";
import { Experience } from "../../src/domain/jobs/experience/experience.ts";
import type { Job } from "../../src/domain/jobs/job.ts";
import { Ledger, type NewJob } from "../../src/domain/jobs/ledger.ts";
import { Submitter, type SubmitterParts } from "../../src/domain/jobs/submission/submit.ts";
import { Slots } from "../../src/infrastructure/queue/slots.ts";
import type { Database } from "../../src/infrastructure/storage/database.ts";
import { makeLogger } from "../../src/infrastructure/telemetry/telemetry.ts";
import { aRequest } from "./job.ts";
import { temporaryFolder } from "./sandbox.ts";
import { testDatabase } from "./database.ts";
import { OWN_KEY_ALONE } from "./own-key.ts";
import { PATIENCE_MS } from "./patience.ts";

/** When everything happens, as long as the clock is not set, in milliseconds since 1970. */
export const NOW = 1_000_000_000;

/** What the account's numbers are before a submission. */
export const NUMBERS: AccountReading = { from: 1, to: 2, tokens: 50, totals: null, failed: null };

/** What the service says to a submission. */
export const ANSWER = { id: "s-1", cost: 2 as number | null, remaining: 40 as number | null };

/** How the tests' picture is counted; see `Operation.size`. */
export const SIZE = "64x64, 1 steps, Default, no style";

const values = { prompt: "waves", model: "Default", width: 64, height: 64, guidance: 1, steps: 1 };

/** What a submission comes to. `leave` takes it through all that is done as it leaves, `call` step by step. */
type Post = (
  leave: () => Promise<void>,
  call: AccountCallOptions,
  request: unknown,
) => Promise<typeof ANSWER>;

/** A submitter over a real ledger; what its account and the service do is the test's to say, at any time. */
export class SubmissionHarness implements AsyncDisposable {
  readonly database: Database;
  readonly ledger: Ledger;
  readonly experience: Experience;
  readonly submitter: Submitter;
  readonly slots = new Slots({ pauseMs: 1, silentMs: 50 });
  /** What the account was told of its balance. */
  readonly noted: unknown[] = [];
  /** For the test to write down what happened. */
  readonly seen: string[] = [];
  /** What was logged as wrong. */
  readonly wrong: string[] = [];
  refusalOf: SubmitterParts["refusalOf"] = async () => undefined;
  openMedia: () => Promise<Readable> = () => Promise.reject(new Error("There are no files."));
  /** What is left, as far as the account knows. */
  known: number | null = 50;
  tellsBalance = true;
  readBalance: (maxAgeMs?: number) => Promise<number | null> = async () => this.known;
  numbers: () => Promise<AccountReading> = async () => NUMBERS;
  knownNumbers: () => AccountReading | null = () => NUMBERS;
  runners: SubmitterParts["runners"] = { lease: { isHeld: () => true }, async renew() {} };
  post: Post = async (leave) => {
    await leave();
    this.#answers += 1;
    return { ...ANSWER, id: `s-${this.#answers}` };
  };
  #answers = 0;

  private constructor(database: Database, experience: Experience) {
    this.database = database;
    this.ledger = new Ledger(database, "me");
    this.experience = experience;
    const account = this.#account();
    const log = makeLogger({ level: "error", destination: { write: (line) => void this.wrong.push(line) } });
    this.submitter = new Submitter({
      ledger: this.ledger,
      runners: {
        lease: { isHeld: () => this.runners.lease.isHeld() },
        renew: () => this.runners.renew(),
      },
      accounts: { of: async () => account } as unknown as Accounts,
      slots: this.slots,
      keys: OWN_KEY_ALONE,
      experience,
      log,
      takeLeft: async () => {},
      refusalOf: (job) => this.refusalOf(job),
      openMedia: () => this.openMedia(),
      scratch: temporaryFolder(),
    });
  }

  /**
   * Starts a submitter, at {@link NOW} by clocks that stand still.
   * @param sync makes what the database's log holds survive a power cut, or fails to
   */
  static async open(sync?: Parameters<typeof testDatabase>[1]): Promise<SubmissionHarness> {
    vi.useFakeTimers({ toFake: ["Date", "performance"], now: NOW });
    const database = await testDatabase(join(temporaryFolder(), "reelay.db"), sync);
    const harness = new SubmissionHarness(database, await Experience.open(database, "sandbox"));
    await harness.submitter.start();
    return harness;
  }

  ask(different: Partial<NewJob> = {}): Promise<Job> {
    return this.ledger.add(aRequest({ operation: "image", values, fingerprint: "waves", ...different }), NOW);
  }

  /** A job once it is in that state. */
  async until({ id }: Job, state: Job["state"]): Promise<Job> {
    return vi.waitFor(
      async () => {
        const job = await this.ledger.find(id);
        if (job?.state !== state) throw new Error("It never came to that.");
        return job;
      },
      { timeout: PATIENCE_MS, interval: 5 },
    );
  }

  /** Lets everything else have its turn; the clock stands still. */
  async turn(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    await this.ledger.find("none");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.submitter.stop();
    await this.database.close();
    vi.useRealTimers();
  }

  #account(): Partial<Account> {
    const tellsBalance = () => this.tellsBalance;
    return {
      get tellsBalance() {
        return tellsBalance();
      },
      numbers: () => this.numbers(),
      knownNumbers: () => this.knownNumbers(),
      knownBalance: () => this.known,
      balance: (maxAgeMs) => this.readBalance(maxAgeMs),
      noteBalance: (...note) => void this.noted.push(note),
      api: (call = {}) => {
        const leave = async () => {
          await call.beforeSend?.();
          await call.checkpoint?.("first");
          await call.checkpoint?.("last");
        };
        const submit = (_endpoint: unknown, request: object) =>
          this.post(leave, call, request).then((told) => ({ ...told, status: "submitted", raw: {} }));
        const api: Partial<MediaApi> = { submit };
        return api as MediaApi;
      },
    };
  }
}
