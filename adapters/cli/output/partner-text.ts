import type { Caps, PartnerEntry } from "../../../src/seam/access/partners.ts";
import type { Translate } from "../../../src/common/i18n.ts";
import { columns } from "./columns.ts";
import type { CliEvent } from "./events.ts";
import { currentTime } from "../../../src/common/time.ts";

/** A partner, and the first token where there is one. */
export function partnerEventLines(
  translate: Translate,
  { token, url, webhooksHere, ...entry }: CliEvent<"partner">,
): string[] {
  const fresh = token === undefined || url === undefined ? [] : freshLines(translate, { token, url });
  const hooks = webhooksHere ? [translate("cli.partner.sandbox")] : [];
  return [...partnerLines(translate, entry), ...fresh, ...hooks];
}

/** All partners. */
export function partnersLines(translate: Translate, partners: readonly PartnerEntry[]): string[] {
  if (partners.length === 0) return [translate("cli.partner.none")];
  return partners.flatMap((entry, index) => [
    ...(index === 0 ? [] : [""]),
    ...partnerLines(translate, entry),
  ]);
}

/** A token that was just made, and how it is tried. */
export function freshLines(
  translate: Translate,
  { token, url }: Pick<CliEvent<"token">, "token" | "url">,
): string[] {
  return [
    "",
    `  ${token}`,
    "",
    translate("cli.partner.token.once"),
    `  curl -H "Authorization: Bearer ${token}" ${url}/operations`,
  ];
}

function partnerLines(translate: Translate, { partner, tokens, paidBy }: PartnerEntry): string[] {
  const { id, name, platform, caps, userCaps, requestsPerMinute, asksPeople, mature, origins } = partner;
  const rows = [
    [translate("cli.partner.pays"), translate(`cli.partner.pays.${paidBy ?? "nobody"}`)],
    [translate("cli.partner.platform"), platform],
    [translate("cli.partner.caps"), capsOf(translate, caps)],
    [translate("cli.partner.user_caps"), capsOf(translate, userCaps)],
    [translate("cli.partner.rate"), translate("fact.number", { count: requestsPerMinute })],
    [translate("cli.partner.gates"), translate(`cli.partner.gates.${asksPeople ? "asked" : "vouched"}`)],
    [translate("cli.partner.mature"), translate(mature ? "fact.yes" : "fact.no")],
    ...(origins ? [[translate("cli.partner.origins"), origins.join(" ")]] : []),
    ...tokens.map((token) => [translate("cli.partner.tokens"), tokenText(translate, token)]),
  ];
  return [
    name === id ? id : `${name} (${id})`,
    ...columns(rows),
    ...(paidBy === null ? [translate("cli.partner.unpaid", { id })] : []),
    ...(paidBy === "unreadable" ? [translate("keys.unreadable")] : []),
  ];
}

/** A token: its id, what it is good for, how long, and when it was last used. */
function tokenText(translate: Translate, token: PartnerEntry["tokens"][number]): string {
  const { id, scopes, expiresAt, lastUsedAt, test } = token;
  return [
    id,
    ...(test ? [translate("partner.token.test")] : []),
    scopes.join(" "),
    expiresAt === undefined
      ? translate("cli.partner.token.for_good")
      : translate(`cli.partner.token.${expiresAt > currentTime() ? "until" : "expired"}`, { at: expiresAt }),
    lastUsedAt === null
      ? translate("partner.token.unused")
      : translate("partner.token.used", { at: lastUsedAt }),
  ].join("  ");
}

function capsOf(translate: Translate, { day, month, dayTokens, monthTokens, atOnce }: Caps): string {
  const jobs = (count: number | undefined) =>
    count === undefined ? undefined : translate("fact.number", { count });
  const tokens = (max: number | undefined) =>
    max === undefined ? undefined : translate("fact.tokens", { tokens: max });
  const all = [
    [jobs(day), "period.day"],
    [jobs(month), "period.month"],
    [jobs(atOnce), "period.at_once"],
    [tokens(dayTokens), "period.day"],
    [tokens(monthTokens), "period.month"],
  ] as const;
  const set = all.flatMap(([max, period]) => (max === undefined ? [] : `${max} ${translate(period)}`));
  return set.length === 0 ? translate("cli.partner.caps.none") : set.join(" · ");
}
