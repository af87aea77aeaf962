import { z } from "zod";
import { ReelayError } from "../../common/errors.ts";
import { Audit } from "../../domain/audit/audit.ts";
import type { Database } from "../../infrastructure/storage/database.ts";
import { type Logger, scrub } from "../../infrastructure/telemetry/telemetry.ts";
import type { Vault } from "../../infrastructure/vault/vault.ts";
import type { AuditEntry } from "../../seam/access/audit.ts";
import {
  type Rule,
  RULE_GROUPS,
  type RuleChange,
  type RuleOutcome,
  type RulesAdmin,
  type RulesState,
} from "../../seam/surface/rules.ts";
import type { Remark } from "../../seam/surface/setup.ts";
import type { UserId } from "../../seam/values.ts";
import { isSecret } from "../config.ts";
import { givenBy } from "../settings/kinds.ts";
import { read } from "./entered.ts";
import type { InForce } from "./in-force.ts";
import { RULE_FIELDS, RULES } from "./fields.ts";
import { choicesOf, fallbackOf, wrongOf } from "./setting-field.ts";
import { readStored, type SettingChange, store, type StoredSettings } from "./stored.ts";

/** Changes of one rule that are shown, and lines of the audit that are looked through for them. */
const MOST_SHOWN = 10;
const MOST_LINES = 1_000;

/** What rules are changed with. */
interface RulesDeskParts {
  readonly inForce: InForce;
  readonly database: Database;
  readonly vault: Vault;
  readonly log: Logger;
}

type RuleField = (typeof RULE_FIELDS)[number];
type History = ReadonlyMap<string | null, readonly AuditEntry[]>;

/** Shows and changes what may change while Reelay runs; what the environment says stays as it is. */
export class RulesDesk implements RulesAdmin {
  readonly #parts: RulesDeskParts;

  constructor(parts: RulesDeskParts) {
    this.#parts = parts;
  }

  async state(): Promise<RulesState> {
    const stored = await this.#stored();
    // Another process may have stored something.
    const inForce = this.#parts.inForce.apply(stored);
    const history = await this.#history();
    const shown = (field: RuleField) => this.#shown(field, stored, history);
    return { inForce, groups: RULE_GROUPS.map((id) => ({ id, rules: RULES[id].map(shown) })) };
  }

  async change(
    name: string,
    { value, version }: { readonly value: string | null; readonly version: number },
    by: UserId,
  ): Promise<RuleOutcome> {
    const field = fieldOf(name);
    const { inForce, log } = this.#parts;
    for (;;) {
      const stored = await this.#stored();
      const isSeen = (stored.versions[name] ?? 0) === version;
      if (!isSeen) return { outcome: "stale", rule: this.#shown(field, stored, await this.#history()) };
      const meant = await this.#read(field, value, stored);
      if ("wrong" in meant) return { outcome: "refused", wrong: meant.wrong };
      const { change } = meant;
      // Where somebody changed another rule meanwhile, it is read once more beside that one.
      const isDone =
        Object.keys(change).length === 0 ||
        (await store(this.#parts, { over: stored.revision, change, keyIsFor: stored.keyIsFor, by }));
      if (isDone) break;
    }
    log.info({ settings: [name] }, "A rule was changed on the console");
    const after = await this.#stored();
    inForce.apply(after);
    return { outcome: "saved", rule: this.#shown(field, after, await this.#history()) };
  }

  async check(name: string, value: string | null): Promise<Remark | undefined> {
    const meant = await this.#read(fieldOf(name), value, await this.#stored());
    return "wrong" in meant ? meant.wrong : undefined;
  }

  /** What a new value would change, or what is wrong with it. */
  async #read(
    field: RuleField,
    value: string | null,
    stored: StoredSettings,
  ): Promise<{ readonly change: SettingChange } | { readonly wrong: Remark }> {
    const { name, isPlace } = field;
    if (isPlace) return { wrong: { key: "setup.wrong.machine" } };
    if (value && isSecret(name)) scrub.registerBriefly(value.trim());
    const { inForce, vault } = this.#parts;
    const meant = await read([field], { [name]: value }, { env: inForce.env, stored, known: vault.known });
    if (!("wrong" in meant)) return meant;
    const [wrong = wrongOf(field)] = Object.values(meant.wrong);
    return { wrong };
  }

  #stored(): Promise<StoredSettings> {
    return readStored(this.#parts.database, this.#parts.vault);
  }

  /** Who changed what, by setting. */
  async #history(): Promise<History> {
    const audit = await Audit.open(this.#parts.database, "digest");
    return Map.groupBy(await audit.read({ act: "setting", limit: MOST_LINES }), ({ rule }) => rule);
  }

  #shown(field: RuleField, stored: StoredSettings, history: History): Rule {
    const { name, kind, isPlace = false } = field;
    const given = givenBy(this.#parts.inForce.env)[name];
    const value = given ?? stored.values[name];
    const unused = this.#parts.inForce.unused.find(({ setting }) => setting === name);
    const changes = history.get(name) ?? [];
    return {
      name,
      kind,
      choices: choicesOf(name),
      value: kind === "secret" ? null : (value ?? null),
      fallback: fallbackOf(name),
      from: given !== undefined ? "environment" : value !== undefined ? "stored" : "default",
      isPlace,
      counts: this.#parts.inForce.countsWhen(name),
      version: stored.versions[name] ?? 0,
      changes: changes.slice(0, MOST_SHOWN).map(changeIn),
      ...(unused && { unused: unused.said }),
    };
  }
}

/** @throws ReelayError `not_found` */
function fieldOf(name: string): RuleField {
  const field = RULE_FIELDS.find((one) => one.name === name);
  if (!field) throw new ReelayError("not_found");
  return field;
}

/** What a line of the audit says of a setting; of a secret it has no values. */
function changeIn({ at, user, content }: AuditEntry): RuleChange {
  const { data: values } = told.safeParse(content);
  return { at, by: user, ...values };
}

const told = z.object({ from: z.string().nullable(), to: z.string().nullable() });
