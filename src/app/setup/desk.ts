import type { Database } from "../../infrastructure/storage/database.ts";
import { type Logger, scrub } from "../../infrastructure/telemetry/telemetry.ts";
import { OPEN_STATES } from "../../domain/jobs/job.ts";
import { GOING_ON } from "../../domain/jobs/row.ts";
import type { Vault } from "../../infrastructure/vault/vault.ts";
import {
  type Entered,
  type Finding,
  type Remark,
  type Setup,
  SETUP_STEPS,
  type SetupField,
  type SetupOutcome,
  type SetupState,
  type SetupStep,
} from "../../seam/surface/setup.ts";
import type { Surface } from "../../seam/surface/surface.ts";
import type { ChatName, UserId } from "../../seam/values.ts";
import { type Config, isSecret } from "../config.ts";
import { lookAtService } from "../doctor-service.ts";
import { givenBy } from "../settings/kinds.ts";
import { Echo } from "./echo.ts";
import { envFile } from "./env-file.ts";
import { read } from "./entered.ts";
import type { InForce } from "./in-force.ts";
import { fallbackOf, type SettingField } from "./setting-field.ts";
import { STEPS } from "./fields.ts";
import { readStored, store, type StoredSettings } from "./stored.ts";

/** What the doctors of the chat platforms find, each of its own platform where that is set. */
export type PlatformLooks = Readonly<Record<ChatName, (config: Config) => Promise<Finding | undefined>>>;

/** What setting up works with. */
interface DeskParts {
  readonly inForce: InForce;
  readonly database: Database;
  readonly vault: Vault;
  readonly surfaces: () => readonly Surface[];
  readonly looks: PlatformLooks;
  readonly log: Logger;
}

type Values = Readonly<Record<string, string>>;

/** A setting as the page shows it: what the environment says goes before what is stored. */
function shownField({ name, kind }: SettingField, given: Values, stored: Values): SetupField {
  const value = given[name] ?? stored[name];
  const isLocked = given[name] !== undefined;
  const field = { name, kind, fallback: fallbackOf(name), isSet: value !== undefined, isLocked };
  return value === undefined || kind === "secret" ? field : { ...field, value };
}

const STALE: SetupOutcome = { outcome: "stale", wrong: {}, findings: [], mayAnyway: false };

/** Sets Reelay up: what was entered is tried out on who it is for, and kept where it works. */
export class SetupDesk implements Setup {
  readonly #parts: DeskParts;
  readonly #echo = new Echo();

  constructor(parts: DeskParts) {
    this.#parts = parts;
  }

  async state(): Promise<SetupState> {
    const { inForce } = this.#parts;
    const stored = await this.#stored();
    const { revision, values } = stored;
    // Another process may have stored something.
    const isInForce = inForce.apply(stored);
    const given = givenBy(inForce.env);
    const steps: Partial<Record<SetupStep, readonly SetupField[]>> = {};
    for (const step of SETUP_STEPS)
      steps[step] = STEPS[step].map((field) => shownField(field, given, values));
    return {
      revision,
      inForce: isInForce,
      steps: steps as SetupState["steps"],
      env: envFile(values),
      unused: inForce.unused,
    };
  }

  look(step: SetupStep): Promise<readonly Finding[]> {
    return this.#findings(step, this.#parts.inForce.config);
  }

  async save(step: SetupStep, { revision, values, anyway }: Entered, by: UserId): Promise<SetupOutcome> {
    for (const [name, value] of Object.entries(values))
      if (value && isSecret(name)) scrub.registerBriefly(value.trim());
    for (;;) {
      const outcome = await this.#saveOver(await this.#stored(), step, { revision, values, anyway }, by);
      if (outcome) return outcome;
    }
  }

  /** @returns undefined where somebody stored another setting meanwhile: it is looked at once more beside that one */
  async #saveOver(
    stored: StoredSettings,
    step: SetupStep,
    { revision, values, anyway }: Entered,
    by: UserId,
  ): Promise<SetupOutcome | undefined> {
    const { inForce, vault, log } = this.#parts;
    const isSeen = (name: string) => (stored.versions[name] ?? 0) <= revision;
    if (revision > stored.revision || !Object.keys(values).every(isSeen)) return STALE;
    const meant = await read(STEPS[step], values, { env: inForce.env, stored, known: vault.known });
    if ("wrong" in meant) return { outcome: "refused", wrong: meant.wrong, findings: [], mayAnyway: false };
    const { change, config } = meant;
    if (!Object.keys(change).every(isSeen)) return STALE;
    const open = config.apiUrl === this.#parts.inForce.config.apiUrl ? 0 : await this.#jobsUnderWay();
    if (open > 0) {
      const wrong = { REELAY_API_URL: { key: "setup.wrong.under_way", params: { open } } } as const;
      return { outcome: "refused", wrong, findings: [], mayAnyway: false };
    }
    const findings = await this.#findings(step, config);
    const mayAnyway = step === "public";
    if (findings.some(({ stops }) => stops) && !(mayAnyway && anyway))
      return { outcome: "refused", wrong: {}, findings, mayAnyway };
    const saved = { outcome: "saved", wrong: {}, findings, mayAnyway: false } as const;
    const settings = Object.keys(change);
    if (settings.length === 0) return saved;
    if (!(await store(this.#parts, { over: stored.revision, change, keyIsFor: config.apiUrl, by })))
      return undefined;
    log.info({ settings }, "Settings were changed on the page");
    inForce.apply(await this.#stored());
    return saved;
  }

  async tryOut(channel: string): Promise<Remark> {
    const discord = this.#parts.surfaces().find(({ name }) => name === "discord");
    if (!discord?.ready()) return { key: "setup.discord.not_there" };
    try {
      const place = await discord.reach(`discord:${channel}`);
      await discord.deliver(place, { kind: "notice", text: { key: "setup.discord.hello" } });
      return { key: "setup.discord.posted" };
    } catch (error) {
      this.#parts.log.warn({ err: error }, "Nothing could be posted in a channel of Discord");
      return { key: "setup.discord.not_posted" };
    }
  }

  echo(question: string): string | undefined {
    return this.#echo.answerTo(question);
  }

  /** Jobs that the service may still be working on, or that are to go there; whoever works on them. */
  async #jobsUnderWay(): Promise<number> {
    const { open } = await this.#parts.database.kysely
      .selectFrom("jobs")
      .select(({ fn }) => fn.countAll().as("open"))
      .where("going_on", "=", GOING_ON)
      .where("state", "in", OPEN_STATES)
      .executeTakeFirstOrThrow();
    return Number(open);
  }

  #stored() {
    return readStored(this.#parts.database, this.#parts.vault);
  }

  async #findings(step: SetupStep, config: Config): Promise<readonly Finding[]> {
    const { publicUrl } = config;
    if (step === "service") return lookAtService(config);
    if (step === "public") return publicUrl === undefined ? [] : [await this.#echo.ask(publicUrl)];
    const found = step === "people" ? undefined : await this.#parts.looks[step](config);
    return found ? [found] : [];
  }
}
