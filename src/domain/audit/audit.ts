import { createHmac, randomBytes } from "node:crypto";
import { type Selectable, sql } from "kysely";
import type { Act, AuditEntry, AuditQuery } from "../../seam/access/audit.ts";
import { partnersPerson } from "../../seam/access/partners.ts";
import { mediaIn, type ChatId, type Platform, type UserId, type Values } from "../../seam/values.ts";
import type { Database } from "../../infrastructure/storage/database.ts";
import { dialectOf } from "../../infrastructure/storage/dialect.ts";
import { memory } from "../../infrastructure/storage/key-value.ts";
import { isOperator } from "../accounts/subjects.ts";
import type { AuditTable } from "../../infrastructure/storage/schema.ts";
import { currentTime } from "../../common/time.ts";

/** What is written down; the time and the rest are added. */
export interface NewEntry
  extends
    Pick<AuditEntry, "act" | "surface">,
    Partial<Pick<AuditEntry, "user" | "username" | "chat" | "by" | "rule" | "operation" | "job">> {
  /** What somebody asked for. */
  readonly values?: Values;
  /** What somebody who runs Reelay wants to be known of it. */
  readonly note?: string;
  /** What a setting was and is; undefined: nothing was set. */
  readonly changed?: { readonly from: string | undefined; readonly to: string | undefined };
}

/** What only those who run Reelay do, or whoever decides in their place; of themselves they erase none of it. */
const OPERATORS_ACTS = [
  "withhold",
  "restore",
  "settle",
  "block",
  "unblock",
  "operator_invite",
  "operator_link",
  "operator_enter",
  "operator_role",
  "operator_remove",
  "operator_sign_out",
  "pool_key",
  "uncover",
  "note",
  "cancel",
  "redeliver",
  "offer",
  "setting",
] as const satisfies readonly Act[];

/** What those who run Reelay do about others. */
export const ABOUT_OTHERS = ["block", "unblock", "uncover", "note", "cancel", "redeliver", "offer"] as const;

/** How much of the inputs is kept; see `REELAY_AUDIT_INPUTS`. */
type Kept = "digest" | "words" | "all";

/**
 * What was decided and done about what people make, for whoever answers for it. Lines are added; only forgetting, and
 * time, take something out of them.
 */
export class Audit {
  readonly #database: Pick<Database, "kysely">;
  readonly #key: string;
  readonly #kept: Kept;

  private constructor(database: Pick<Database, "kysely">, key: string, kept: Kept) {
    this.#database = database;
    this.#key = key;
    this.#kept = kept;
  }

  /** Opens it. Digests are made with a key of this installation: nobody else can try out what they stand for. */
  static async open(database: Pick<Database, "kysely">, kept: Kept): Promise<Audit> {
    const key = await memory(database, "audit").once("key", () => randomBytes(32).toString("hex"));
    return new Audit(database, key, kept);
  }

  /**
   * Adds a line.
   * @param transaction where it is to be written together with something else
   */
  async write(entry: NewEntry, transaction: Pick<Database, "kysely"> = this.#database): Promise<void> {
    const { act, surface, user = null, username = null, chat = null, values } = entry;
    const { by = null, rule = null, operation = null, job = null } = entry;
    const row = { at: currentTime(), act, surface, user, username, chat, by, rule, operation, job };
    const inputs = values && { digest: this.digestOf(values), content: this.#contentOf(values) };
    await transaction.kysely
      .insertInto("audit")
      .values({ ...row, ...inputs, ...toldOf(entry) })
      .execute();
  }

  /** Lines, the latest first. */
  async read(sought: AuditQuery): Promise<AuditEntry[]> {
    const { user, username, chat, act, operation, job, digest, file, since, until, before, limit } = sought;
    let query = this.#database.kysely.selectFrom("audit").selectAll();
    const same = { user, username, chat, act, operation, job, digest };
    for (const [column, value] of Object.entries(same))
      if (value !== undefined) query = query.where(column as keyof typeof same, "=", value);
    if (file !== undefined) query = query.where("files", "like", named(file));
    if (since !== undefined) query = query.where("at", ">=", since);
    if (until !== undefined) query = query.where("at", "<", until);
    if (before !== undefined) query = query.where("id", "<", before);
    return (await query.orderBy("id", "desc").limit(limit).execute()).map(fromRow);
  }

  /** How many lines are about somebody. */
  async count(user: UserId): Promise<number> {
    const lines = this.#database.kysely.selectFrom("audit").where("user", "=", user);
    return (await lines.select(({ fn }) => fn.countAll<number>().as("count")).executeTakeFirstOrThrow())
      .count;
  }

  /** A digest of what somebody asked for. */
  digestOf(values: Values): string {
    return createHmac("sha256", this.#key).update(canonical(values)).digest("hex").slice(0, 32);
  }

  /** Notes the digest of a file that was given for a job. */
  async noteFile(job: string, digest: string): Promise<void> {
    const { kysely } = this.#database;
    const { append, value } = dialectOf(kysely).json;
    await kysely
      .updateTable("audit")
      .set({ files: sql<string>`${append(sql`coalesce(files, '[]')`, value(digest))}` })
      .where("job", "=", job)
      .where("act", "=", "allow")
      .where((line) => line.or([line("files", "is", null), line("files", "not like", named(digest))]))
      .execute();
  }

  /** Every file that a line names. @param since only lines of this time or later, in milliseconds since 1970 */
  async fileNames(since: number): Promise<ReadonlySet<string>> {
    const lines = this.#database.kysely.selectFrom("audit").select("files").distinct();
    const rows = await lines.where("at", ">=", since).where("files", "is not", null).execute();
    return new Set(rows.flatMap(({ files }) => JSON.parse(files ?? "[]") as string[]));
  }

  /**
   * Takes somebody's name, and what they wrote, out of every line; that something was decided stays. What those who run Reelay did as
   * such stays under their id: nobody wipes out their own trail.
   */
  async forget(user: UserId, transaction: Pick<Database, "kysely"> = this.#database): Promise<void> {
    const own = transaction.kysely
      .updateTable("audit")
      .set({ user: null, username: null, chat: null, digest: null, files: null, content: null })
      .where("user", "=", user);
    await (isOperator(user) ? own.where("act", "not in", OPERATORS_ACTS) : own).execute();
    await forgetInSettings(user, transaction);
    const persons = partnersPerson(user, "");
    // Where somebody was blocked, is told of reports, or is one of a partner's people, the rule says who; a note may say more.
    await transaction.kysely
      .updateTable("audit")
      .set({ rule: null, content: null })
      .where("act", "in", [...ABOUT_OTHERS, "log"])
      .where((line) =>
        line.or([line("rule", "=", user), sql<boolean>`substr(rule, 1, ${persons.length}) = ${persons}`]),
      )
      .execute();
  }

  /** The same for one of a partner's people; whose they were stays. */
  async forgetName(user: UserId, username: string): Promise<void> {
    await this.#database.kysely
      .updateTable("audit")
      .set({ username: null, digest: null, files: null, content: null })
      .where("user", "=", user)
      .where("username", "=", username)
      .execute();
    await this.#database.kysely
      .updateTable("audit")
      .set({ rule: null, content: null })
      .where("act", "in", ABOUT_OTHERS)
      .where("rule", "=", partnersPerson(user, username))
      .execute();
  }

  #contentOf(values: Values): string | null {
    if (this.#kept === "digest") return null;
    const words = Object.entries(values).filter(([, value]) => mediaIn(value).length === 0);
    return canonical(Object.fromEntries(words));
  }
}

/** Takes the values out of what was changed in settings that name somebody, or one of their people; that they were changed stays. */
async function forgetInSettings(user: UserId, { kysely }: Pick<Database, "kysely">): Promise<void> {
  const lines = await kysely
    .selectFrom("audit")
    .select(["id", "content"])
    .where("act", "=", "setting")
    .where("content", "is not", null)
    .execute();
  const persons = partnersPerson(user, "");
  const isNamed = (text: unknown) =>
    String(text)
      .split(",")
      .some((item) => item.trim() === user || item.trim().startsWith(persons));
  const naming = lines.filter(({ content }) =>
    Object.values(JSON.parse(content ?? "{}") as object).some(isNamed),
  );
  for (const { id } of naming)
    await kysely.updateTable("audit").set({ content: null }).where("id", "=", id).execute();
}

/** What those who run Reelay said, or changed. */
function toldOf({ note, changed }: NewEntry): { readonly content?: string } {
  if (changed) return { content: JSON.stringify({ from: changed.from ?? null, to: changed.to ?? null }) };
  return note === undefined ? {} : { content: JSON.stringify({ note }) };
}

/** A list of files in which one is named, by its digest. */
const named = (digest: string) => `%"${digest}"%`;

/** The same text for the same values, in whichever order they came. */
function canonical(values: Values): string {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return JSON.stringify(Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1))));
}

function fromRow(row: Selectable<AuditTable>): AuditEntry {
  return {
    ...row,
    user: row.user as UserId | null,
    chat: row.chat as ChatId | null,
    surface: row.surface as Platform,
    act: row.act as AuditEntry["act"],
    by: row.by as UserId | null,
    files: row.files === null ? [] : JSON.parse(row.files),
    content: row.content === null ? null : JSON.parse(row.content),
  };
}
