import { z } from "zod";
import { keySchema } from "../people/own-key.ts";
import type { ChatId } from "../../seam/values.ts";
import type { Fact, Message } from "../../seam/views.ts";
import type { Surface } from "../../seam/surface/surface.ts";
import { asReelayError, ReelayError } from "../../common/errors.ts";
import type { Group } from "../../seam/access/groups.ts";
import type { GroupChange } from "../groups/groups.ts";
import { LOCALES, translator } from "../../common/i18n.ts";
import { fieldsOf } from "../operations/fields.ts";
import { OPERATIONS } from "../operations/registry.ts";
import { command, type Context } from "./command.ts";
import { isAmount } from "../../seam/forms/wanted.ts";
import { budgetsOfGroup } from "../policy/budgets.ts";
import { accountFacts, budgetFacts } from "./facts.ts";

/** What takes a rule back. */
const NONE = ["all", ""] as const;

/** The most jobs a day that can be asked for; as `REELAY_DAILY_CAP`. */
const MAX_DAILY = 1_000_000;

/** A list of ids with commas or spaces between them; long enough for every channel of a large server. */
const ids = () => z.string().trim().max(20_000).optional();

const daily = () => z.union([z.int().min(0).max(MAX_DAILY), z.enum(NONE)]).optional();

/** Of a budget; as `REELAY_DAILY_BUDGET`. */
const tokens = () => z.union([z.number().refine(isAmount), z.enum(NONE)]).optional();

const schema = z.strictObject({
  locale: z.enum([...LOCALES, ...NONE]).optional(),
  operations: ids(),
  rooms: ids(),
  member_daily: daily(),
  /** Whom `member_daily` or `operations` is for: those with this role, by the platform's id of it. */
  role: z
    .string()
    .regex(/^\d{1,20}$/)
    .optional(),
  /** Those whose members alone may use mature templates; none: everybody may. */
  mature_roles: z
    .string()
    .regex(/^(\d{1,20}(,\d{1,20})*|all|)$/)
    .max(20_000)
    .optional(),
  daily: daily(),
  member_day_tokens: tokens(),
  member_month_tokens: tokens(),
  day_tokens: tokens(),
  month_tokens: tokens(),
  /** Where reports are told, by the platform's id of it; a topic of a chat stands behind a slash. */
  reports_to: z
    .string()
    .regex(/^(-?\d{1,20}(\/\d{1,20})?|all|)$/)
    .optional(),
});

/** A group's rules: shown as they are when nothing is given, else changed. */
export const group = command({
  name: "group",
  label: "command.group",
  description: "command.group.description",
  kind: "manager",
  forModerators: true,
  schema,
  async run(context, given) {
    const chat = managed(context);
    const change = changeFrom(given, await context.groups.of(chat));
    const changes = Object.keys(change).length > 0 || given.reports_to !== undefined;
    if (given.reports_to !== undefined) await setLog(context, chat, given.reports_to);
    if (changes) await context.groups.update(chat, change);
    const text = { key: changes ? "settings.done" : "group.title" } as const;
    await context.reply({ kind: "notice", text, facts: await factsOf(context, chat) });
  },
});

/**
 * Chooses where reports are told, once something was said there: whether that can be is not known before.
 * @throws ReelayError `log_unreachable` where nothing can be posted, or what is no place for it
 */
async function setLog(
  { audit, groups, leftNotices, origin, reportNews, surfaces }: Context,
  chat: ChatId,
  id: string,
): Promise<void> {
  const { user, platform } = origin;
  const to: ChatId | undefined = isNone(id) ? undefined : `${platform}:${id}`;
  if (to !== undefined) await begin(surfaces.of(platform), to, chat);
  await groups.update(chat, { log: to && { to } });
  await audit.write({ act: "log", user, surface: platform, chat, rule: to ?? "none" });
  await leftNotices.leave(chat, to);
  if (to !== undefined) await reportNews.retell(chat);
  else reportNews.ring();
}

/** @throws ReelayError `log_unreachable` */
async function begin(surface: Surface, to: ChatId, chat: ChatId): Promise<void> {
  try {
    await surface.deliver(await surface.reach(to, chat), { kind: "notice", text: { key: "group.log_here" } });
  } catch (cause) {
    if (asReelayError(cause).code !== "undeliverable") throw cause;
    throw new ReelayError("log_unreachable", {}, { cause });
  }
}

/** Stores a group's own key, once the service has taken it; asks for it when it is not given. */
export const groupConnect = command({
  name: "group-connect",
  label: "command.group_connect",
  description: "command.group_connect.description",
  kind: "manager",
  forModerators: true,
  schema: keySchema.partial(),
  async run(context, { key }) {
    const { accounts, groupKeys, origin, reply, ask } = context;
    const chat = managed(context);
    if (key === undefined)
      return ask({
        id: "group-connect",
        title: { key: "command.group_connect" },
        fields: fieldsOf(keySchema),
        values: {},
        submit: { key: "form.save" },
      });
    await context.vault.known.remember(key);
    const account = accounts.tryOut(origin.user, key);
    const facts = await accountFacts(account);
    await groupKeys.put(chat, key);
    await reply({ kind: "notice", text: { key: "group.connected" }, facts });
    context.learnFrom(account);
  },
});

/** Takes a group's own key away. */
export const groupDisconnect = command({
  name: "group-disconnect",
  label: "command.group_disconnect",
  description: "command.group_disconnect.description",
  kind: "manager",
  forModerators: true,
  schema: z.strictObject({}),
  async run(context) {
    const count = await context.groupKeys.retire(managed(context));
    const text: Message =
      count === 0 ? { key: "group.disconnected" } : { key: "group.disconnected_later", params: { count } };
    await context.reply({ kind: "notice", text });
  },
});

/**
 * The group that somebody manages.
 * @throws ReelayError `not_in_group`, `not_manager`
 */
function managed({ origin: { chat, manages } }: Pick<Context, "origin">): ChatId {
  if (chat === undefined) throw new ReelayError("not_in_group");
  if (manages !== true) throw new ReelayError("not_manager");
  return chat;
}

/** @throws ReelayError `field_unknown_choice` for an operation that there is not */
function changeFrom(given: z.output<typeof schema>, { roleDaily = {}, roleOperations = {} }: Group) {
  const { locale, operations, rooms, member_daily: memberDaily, role, daily: all } = given;
  const { mature_roles: mature } = given;
  const unknown = idsIn(operations)?.find((id) => !OPERATIONS.some((operation) => operation.id === id));
  if (unknown !== undefined)
    throw new ReelayError("field_unknown_choice", { field: "operations", value: unknown });
  return {
    ...(locale !== undefined && { locale: isNone(locale) ? undefined : locale }),
    ...(operations !== undefined && role === undefined && { operations: idsIn(operations) }),
    ...(operations !== undefined &&
      role !== undefined && { roleOperations: withRole(roleOperations, role, idsIn(operations)) }),
    ...(mature !== undefined && { matureRoles: idsIn(mature) }),
    ...(rooms !== undefined && { rooms: idsIn(rooms) }),
    ...(memberDaily !== undefined && role === undefined && { memberDaily: jobsIn(memberDaily) }),
    ...(memberDaily !== undefined &&
      role !== undefined && { roleDaily: withRole(roleDaily, role, jobsIn(memberDaily)) }),
    ...(all !== undefined && { daily: jobsIn(all) }),
    ...Object.fromEntries(
      BUDGETS.flatMap(({ field, name }) => {
        const max = given[field];
        return max === undefined ? [] : [[name, jobsIn(max)]];
      }),
    ),
  } satisfies GroupChange;
}

/** The budgets of a group, by the command's fields and by its rules. */
const BUDGETS = [
  { field: "member_day_tokens", name: "memberDayTokens" },
  { field: "member_month_tokens", name: "memberMonthTokens" },
  { field: "day_tokens", name: "dayTokens" },
  { field: "month_tokens", name: "monthTokens" },
] as const;

/** What is given to a role as well, or taken back from it. */
function withRole<T>(
  roles: Readonly<Record<string, T>>,
  role: string,
  rule: T | undefined,
): Readonly<Record<string, T>> {
  const { [role]: _, ...others } = roles;
  return rule === undefined ? others : { ...others, [role]: rule };
}

/** Undefined for what takes the rule back. */
const jobsIn = (given: number | (typeof NONE)[number]) => (isNone(given) ? undefined : given);

function isNone(value: string | number): value is (typeof NONE)[number] {
  return NONE.some((none) => none === value);
}

/** Undefined for what takes the rule back. */
function idsIn(list = ""): readonly string[] | undefined {
  const found = [...new Set(list.split(/[\s,]+/).filter(Boolean))];
  return isNone(found.join()) ? undefined : found;
}

const number = (count: number) => ({ key: "fact.number", params: { count } }) as const;

/** A platform shows the name of where that is. */
function logFact(log: Group["log"]): Message {
  if (!log) return { key: "group.log_none" };
  const params = { log: log.to.slice(log.to.indexOf(":") + 1) };
  return { key: log.isLost ? "group.log_lost" : "group.log", params };
}

async function factsOf(
  {
    groups,
    groupKeys,
    usage,
    policy,
    spent,
  }: Pick<Context, "groups" | "groupKeys" | "usage" | "policy" | "spent">,
  chat: ChatId,
): Promise<Fact[]> {
  const rules: Group = await groups.of(chat);
  const { locale, operations, rooms, memberDaily, daily: all } = rules;
  const { roleDaily = {}, roleOperations = {}, matureRoles, log } = rules;
  const key = await groupKeys.get(chat);
  return [
    {
      label: "field.locale",
      value: locale
        ? { key: "fact.text", params: { text: translator(locale)("locale.name") } }
        : { key: "group.any_locale" },
    },
    {
      label: "field.operations",
      value: operations
        ? { key: "group.operations", params: { operations: operations.join(", ") } }
        : { key: "group.all_operations" },
    },
    ...Object.entries(roleOperations).map(([role, allowed]): Fact => {
      const params = { role, operations: allowed.join(", ") };
      return { label: "field.role_operations", value: { key: "group.role_operations", params } };
    }),
    ...(matureRoles ?? []).map((role): Fact => {
      return { label: "field.mature_roles", value: { key: "group.mature_role", params: { role } } };
    }),
    {
      label: "field.rooms",
      value: rooms ? { key: "group.rooms", params: { rooms: rooms.join(", ") } } : { key: "group.all_rooms" },
    },
    { label: "field.reports_to", value: logFact(log) },
    { label: "group.key", value: { key: key ? "privacy.key_stored" : "group.key_none" } },
    { label: "field.member_daily", value: number(memberDaily ?? policy.dailyCap) },
    ...Object.entries(roleDaily).map(([role, count]): Fact => {
      return { label: "field.role_daily", value: { key: "group.role_daily", params: { role, count } } };
    }),
    { label: "field.daily", value: all === undefined ? { key: "group.no_limit" } : number(all) },
    ...(key
      ? [
          {
            label: "group.today",
            value: number(await usage.count({ period: "day", payer: key.fingerprint, by: chat })),
          } as const,
        ]
      : []),
    ...BUDGETS.flatMap(({ field, name }): Fact[] => {
      const tokens = rules[name];
      if (tokens === undefined) return [];
      return [{ label: `field.${field}`, value: { key: "fact.tokens", params: { tokens } } }];
    }),
    ...(key ? budgetFacts(await spent(budgetsOfGroup(chat, key.fingerprint, rules))) : []),
  ];
}
