import type { Account } from "../domain/accounts/accounts.ts";
import type { KeyKeeper } from "../domain/accounts/key-keeper.ts";
import { Audit } from "../domain/audit/audit.ts";
import { type AuditedInputs, openInputs } from "../domain/audit/inputs.ts";
import { Catalogue } from "../domain/catalogue/catalogue.ts";
import type { CommandParts } from "../domain/commands/command.ts";
import { CommandDispatcher } from "../domain/dispatch/dispatcher.ts";
import type { ConsoleParts } from "../domain/operators/console.ts";
import type { ConsoleDesk } from "../seam/access/console.ts";
import type { Intake } from "../seam/surface/surface.ts";
import { Surfaces } from "../seam/surface/surfaces.ts";
import type { MediaRef, Platform } from "../seam/values.ts";
import { secretsIn } from "./config.ts";
import { type CoreKeys, openKeys } from "./keys/open.ts";
import type { CoreParts } from "./core-parts.ts";
import { serviceNameOf } from "./service.ts";
import { sumsOf } from "../domain/dispatch/sums.ts";
import { limiterOf, namesOf } from "./egress/open.ts";
import { GroupKeys } from "../domain/groups/group-keys.ts";
import { Groups } from "../domain/groups/groups.ts";
import { Copies } from "../domain/jobs/delivery/copies.ts";
import { TakeBacks } from "../domain/jobs/delivery/take-backs.ts";
import { Outbox } from "../domain/jobs/delivery/delivery.ts";
import { onItsWayFor } from "../domain/jobs/reconciling/doubt.ts";
import { Experience } from "../domain/jobs/experience/experience.ts";
import { KeyNotices } from "../domain/jobs/delivery/key-notices.ts";
import { Ledger } from "../domain/jobs/ledger.ts";
import { Poller } from "../domain/jobs/polling/poller.ts";
import { Progress } from "../domain/jobs/delivery/progress.ts";
import { OwnJobs } from "../domain/jobs/submission/own-jobs.ts";
import { learnPrices } from "../domain/jobs/quote.ts";
import { ReadTimes } from "../domain/jobs/polling/read-times.ts";
import { Reconciler } from "../domain/jobs/reconciling/reconcile.ts";
import { openRunners, type Runners } from "../domain/jobs/submission/runners.ts";
import { Submitter } from "../domain/jobs/submission/submit.ts";
import { Tagger } from "../domain/jobs/tagger.ts";
import { OPERATIONS } from "../domain/operations/registry.ts";
import { People } from "../domain/people/people.ts";
import { Blocks } from "../domain/policy/blocks.ts";
import { checkClassifier } from "../domain/policy/classifier/classifier.ts";
import { classifying } from "../domain/policy/classifier/examiner.ts";
import { Gate } from "../domain/policy/gate.ts";
import { Lineage } from "../domain/policy/lineage/lineage.ts";
import { MadePictures } from "../domain/policy/lineage/made-pictures.ts";
import { type HostRequest, hostFor } from "../domain/policy/host.ts";
import type { Moderation } from "../domain/policy/moderation/open.ts";
import { ExaminedPictures } from "../domain/policy/results/examined.ts";
import { Results } from "../domain/policy/results.ts";
import { UnchargedJobs } from "../domain/policy/uncharged.ts";
import { UsageCounter } from "../domain/policy/usage-counter.ts";
import { openReports } from "../domain/reports/open.ts";
import { makeKeyWatch } from "../domain/keys/watch.ts";
import type { Limiter } from "../infrastructure/queue/limiter.ts";
import { Slots } from "../infrastructure/queue/slots.ts";
import { Sweeper } from "../domain/retention/sweeper.ts";
import { Traces } from "../domain/retention/traces.ts";
import { clockSetBackAt } from "../infrastructure/storage/clock.ts";
import { dialectOf } from "../infrastructure/storage/dialect.ts";
import { memory } from "../infrastructure/storage/key-value.ts";
import { scrub } from "../infrastructure/telemetry/telemetry.ts";
import { sleep } from "../common/time.ts";

/** How long a quote waits for past prices just after the start, in milliseconds. */
const EXPERIENCE_MS = 2_500;

/**
 * Everything between the platforms and the service, put together. Data flows one way: the intake writes jobs
 * in the ledger; submitter, reconciler and poller take them through the service; progress and outbox tell
 * the surfaces.
 */
export class Core {
  readonly #parts: CoreParts;
  readonly #surfaces: Surfaces;
  readonly #ledger: Ledger;
  readonly #runners: Runners;
  readonly #keys: CoreKeys;
  #keeper: KeyKeeper | undefined;
  readonly #experience: Experience;
  readonly #tagger: Tagger;
  /** In the order in which they start: whoever tells stands ready before anything happens. */
  readonly #workers: readonly { start(): Promise<void> | void; stop(): Promise<void> }[];
  readonly #sweeper: Sweeper | undefined;
  readonly #limiter: Limiter;
  readonly #stop = new AbortController();
  readonly #left = new AbortController();
  readonly #commands: CommandParts;
  #adopting: NodeJS.Timeout | undefined;
  /** Hears no more of others that leave. */
  #deaf = () => {};
  #learning = Promise.resolve();

  private constructor(
    parts: CoreParts,
    experience: Experience,
    tagger: Tagger,
    audit: Audit,
    inputs: AuditedInputs,
    moderation: Moderation | undefined,
  ) {
    const { config, database, hosts, links, log, vault, experienceMs = EXPERIENCE_MS } = parts;
    this.#parts = parts;
    this.#experience = experience;
    this.#tagger = tagger;
    const { pollMs, rateWindowMs, policy } = config;
    const limiter = limiterOf(config, database, parts.transport);
    this.#limiter = limiter;
    const surfaces = new Surfaces(parts.surfaces, config.privateHosts);
    const runners = openRunners(database, rateWindowMs, {
      setBack: (byMs) =>
        log.warn(
          { byMs },
          "The machine's clock was set back; what waits for a time goes on as if it had not been",
        ),
      missed: (err) =>
        log.error({ err }, "This process could not show that it lives; it sends nothing until it can"),
    });
    const ledger = new Ledger(database, runners.id, (name) => surfaces.tellsInDatabase(name));
    const slots = new Slots({ pauseMs: 2 * pollMs, silentMs: pollMs / 5 });
    const keys = openKeys({ ...parts, limiter, slots, ledger, experience });
    const { accounts } = keys;
    const people = new People(memory(database, "people"));
    const groups = new Groups(memory(database, "groups"));
    const groupKeys = new GroupKeys({ vault, ledger, log });
    const usage = new UsageCounter(database);
    const progress = new Progress({ ledger, surfaces, experience, log });
    this.#surfaces = surfaces;
    this.#keys = keys;
    this.#runners = runners;
    this.#ledger = ledger;
    const { folder: scratch } = parts.scratch;
    const blocks = new Blocks(memory(database, "blocks"), policy.blocked, parts.liveBlocks);
    const traces = new Traces(database);
    const reporting = openReports({ database, ledger, audit, policy, surfaces, blocks, groups, log });
    const { reports } = reporting;
    const openMedia = (ref: MediaRef) => surfaces.openMedia(ref);
    const made = new MadePictures(database);
    const classifier = policy.classifier && classifying(policy.classifier);
    const examined = new ExaminedPictures(database);
    const digestIn = (ref: MediaRef) => surfaces.digestIn(ref);
    const lineage = new Lineage({ made, ledger, openMedia, digestIn, scratch, examined, classifier });
    const moderator = moderation?.moderator;
    const examiners = [classifier, moderation?.examiner].filter((examiner) => examiner !== undefined);
    const results = new Results({ lineage, examined, examiners, reports, ffmpeg: config.ffmpeg, log });
    const gate = new Gate({
      policy,
      inSandbox: accounts.inSandbox,
      reports,
      database,
      people,
      groups,
      blocks,
      audit,
      moderator,
      openMedia,
    });
    const copies = new Copies(memory(database, "copies"), surfaces, log);
    const takeBacks = new TakeBacks(memory(database, "take-backs"), surfaces, log);
    this.#commands = {
      accounts,
      audit,
      inputs,
      blocks,
      reports,
      reportNews: reporting.news,
      leftNotices: reporting.left,
      copies,
      takeBacks,
      defaultLocale: config.locale,
      hostFor: (asker: HostRequest) => hostFor(asker, policy.fullCatalog, hosts),
      gate,
      lineage,
      policy,
      people,
      groups,
      groupKeys,
      usage,
      ...sumsOf(database, accounts.inSandbox),
      questions: memory(database, "questions"),
      catalogue: new Catalogue(),
      experience,
      experienced: () => Promise.race([this.#learning, sleep(experienceMs)]),
      learnFrom: (account: Account) => this.#learnFrom(Promise.resolve(account)),
      ledger,
      runners,
      left: this.#left.signal,
      log,
      surfaces,
      scratch,
      ffmpeg: config.ffmpeg,
      hosts,
      traces,
      tagger,
      vault,
      keys: makeKeyWatch(vault),
    };
    const isOperators = async (job: Parameters<typeof accounts.poolFor>[0]) =>
      (await accounts.poolFor(job)) !== undefined;
    const earlier = async (now: number) =>
      (await import("../domain/policy/earlier.ts")).countEarlier(database, isOperators, now);
    const swept = { surfaces, takeBacks, reports, inputs, traces, countEarlier: earlier };
    const isAdopting = () => this.#adopting !== undefined;
    this.#sweeper = links && new Sweeper({ ...swept, database, links, log, keepDays: policy.keepDays });
    this.#workers = [
      new UnchargedJobs({ ledger, usage, log }),
      groupKeys,
      new OwnJobs({ ledger, runners, surfaces: surfaces.names, isAdopting, log }),
      takeBacks,
      progress,
      ...reporting.tellers,
      new KeyNotices({
        ledger,
        surfaces,
        isOperators,
        told: memory(database, "key-notices"),
        log,
      }),
      new Outbox({
        ledger,
        accounts,
        surfaces,
        progress,
        copies,
        experience,
        release: (job) => gate.release(job),
        look: (...made) => results.look(...made),
        scratch,
        log,
      }),
      new Poller({
        ledger,
        accounts,
        experience,
        readTimes: new ReadTimes(database),
        log,
        pollMs,
        rateWindowMs,
        egresses: config.egresses.length,
      }),
      new Reconciler({
        ledger,
        accounts,
        experience,
        log,
        pollMs,
        onItsWayMs: onItsWayFor(hosts, rateWindowMs),
        clockSetBackAt: () => clockSetBackAt(database),
      }),
      new Submitter({
        ledger,
        runners,
        accounts,
        experience,
        log,
        slots,
        keys: keys.choice,
        takeLeft: async () => {
          const gone = await runners.goneNow();
          if (!gone) return;
          const count = await ledger.takeFromService(gone, isAdopting() ? surfaces.names : []);
          if (count > 0) parts.onLeft?.();
        },
        refusalOf: (job) => blocks.refusalOf({ ...job, username: job.tags.inAppUsername }),
        openMedia: async (ref, { id }) => inputs.watch(id, await surfaces.openMedia(ref)),
        scratch,
      }),
    ];
  }

  /** Puts a core together; nothing happens before {@link start}. */
  static async open(parts: CoreParts): Promise<Core> {
    const { config, database, files, log, scratch } = parts;
    const { auditInputs, moderation: moderated } = config.policy;
    checkClassifier(config.policy.classifier);
    const tagger = await Tagger.open(database, config.usernames);
    const audit = await Audit.open(database, auditInputs);
    const inputs = openInputs(audit, await files.room("audit"), auditInputs === "all");
    const moderation =
      moderated &&
      (await import("../domain/policy/moderation/open.ts")).openModeration(moderated, {
        log,
        scratch: scratch.folder,
      });
    const experience = await Experience.open(database, serviceNameOf(parts), parts.leftKeyId !== undefined);
    return new Core(parts, experience, tagger, audit, inputs, moderation);
  }

  /**
   * Connects the surfaces and begins to work.
   * @param adopting whether jobs that killed processes left open on these surfaces are taken over, now and later
   */
  async start(adopting: boolean): Promise<void> {
    const { database, log } = this.#parts;
    database.keeper.onWaiting((err) =>
      log.error({ err }, "The data folder cannot be written; what has happened is written once it can be"),
    );
    await this.#runners.start();
    this.#holdKeys();
    // What a single command needs of them, it looks up itself.
    if (adopting) await this.#parts.vault.knowStored();
    for (const surface of this.#surfaces.all) await surface.start(this.intakeFor(surface.name));
    for (const worker of this.#workers) await worker.start();
    const { accounts, pool } = this.#keys;
    if (!accounts.inSandbox) await pool.noteOwn();
    if ((await pool.all()).length > 0) this.#learnFrom(accounts.of({ user: "cli:me", host: "primary" }));
    if (!adopting) return;
    this.#keeper = await this.#keys.startKeeper();
    await this.adopt();
    this.#sweeper?.start();
    // On several machines others are found out by their silence alone: it adds to that.
    const looks = dialectOf(database.kysely).hasFiles ? 2 : 6;
    const deaf = [database.bell.on("left", () => void this.#adoptQuietly()), database.reads.hear()];
    this.#deaf = () => deaf.forEach((leave) => leave());
    this.#adopting = setInterval(() => void this.#adoptQuietly(), this.#runners.lease.ms / looks);
  }

  /** Before anybody says anything. */
  #holdKeys(): void {
    const { config, shared, vault } = this.#parts;
    const held = secretsIn(config);
    for (const secret of [...held, ...(config.apiKey === undefined ? [] : [config.apiKey])])
      scrub.register(secret);
    vault.known.hold(held, "ours");
    if (shared) vault.known.hold([shared.key.reveal()], "service");
  }

  /** The operator's keys, and what asks the service about them. */
  operatorKeys = (): Pick<CoreKeys, "look" | "pool"> => this.#keys;

  /** The way in for a platform. */
  intakeFor(platform: Platform): Intake {
    return new CommandDispatcher(this.#commands, platform);
  }

  /** What those who run Reelay see and do on the page. @param around what it knows of what is around the core */
  async openConsole(around: Pick<ConsoleParts, "alerts" | "platforms" | "recent">): Promise<ConsoleDesk> {
    const { openConsole } = await import("../domain/operators/console.ts");
    const { config, database, transport } = this.#parts;
    const own = { runner: this.#runners.id, silentSince: () => transport.silentSince };
    return openConsole({ ...this.#commands, ...own, egresses: namesOf(config), database, ...around });
  }

  /** Takes over what killed processes left open. @param patiently waits some seconds for one whose number says nothing here @returns how many jobs */
  async adopt(patiently = false): Promise<number> {
    const gone = await (patiently ? this.#runners.goneForSure() : this.#runners.gone());
    await this.#parts.scratch.sweep();
    if (gone.length > 0) await this.#tagger.tagOlder();
    const { leftKeyId } = this.#parts;
    if (leftKeyId !== undefined)
      await (await import("../domain/jobs/left-sandbox.ts")).endAtSandbox(this.#parts, leftKeyId, gone);
    const count = await this.#ledger.adopt(gone, this.#surfaces.names);
    await this.#runners.forget(gone);
    if (count > 0) this.#parts.log.info({ count }, "Took over jobs that a stopped process had left open");
    return count;
  }

  /** Lets nothing more begin and waits for what is under way. @param asking what its opener still asks of it: nothing of that is sent */
  async stop(asking?: Promise<unknown>): Promise<void> {
    clearInterval(this.#adopting);
    this.#deaf();
    this.#stop.abort();
    this.#parts.database.keeper.leave();
    try {
      await this.#learning;
      const [submitter, ...others] = this.#workers.toReversed();
      for (const one of [this.#sweeper, this.#keeper, ...this.#surfaces.all, submitter]) await one?.stop();
      await asking;
      this.#left.abort();
      for (const one of [...others, this.#limiter]) await one.stop();
      await this.#experience.save();
    } finally {
      // What could not be stopped sends nothing any more. Where its row stays, the next process finds the rest of this one to be gone.
      await this.#runners.stop().catch(this.#failed("This process could not be signed off"));
    }
  }

  /** Has the log say what failed. */
  readonly #failed = (what: string) => (err: unknown) => this.#parts.log.error({ err }, what);

  readonly #adoptQuietly = () => this.adopt().catch(this.#failed("Looking for abandoned jobs failed"));

  /** Reads what an account was charged before: on the first day that is all the experience there is. */
  #learnFrom(account: Promise<Account>): void {
    const reading = account
      .then((read) => learnPrices(read, this.#experience, OPERATIONS, this.#stop.signal))
      .catch((err: unknown) => {
        if (!this.#stop.signal.aborted) this.#parts.log.warn({ err }, "Past prices could not be read");
      });
    this.#learning = Promise.all([this.#learning, reading]).then(() => undefined);
  }
}
