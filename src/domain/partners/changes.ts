import { type Caps, GATES, type Partner } from "../../seam/access/partners.ts";

/** What a change of a partner is written down as. */
interface Changes {
  /** Of caps, such as `day 10 → 20`; empty where none changed. */
  readonly caps: string;
  /** Of everything else. */
  readonly others: string;
}

type Facts = { readonly [name: string]: string | number | undefined };

/** What is different between a partner before and after, for the audit. */
export function changesOf(before: Partner, after: Partner): Changes {
  return {
    caps: said(capsIn(before), capsIn(after)),
    others: said(othersIn(before), othersIn(after)),
  };
}

function capsIn({ caps, userCaps }: Partner): Facts {
  return { ...named("", caps), ...named("user_", userCaps) };
}

function named(prefix: string, { day, month, dayTokens, monthTokens, atOnce }: Caps): Facts {
  return {
    [`${prefix}day`]: day,
    [`${prefix}month`]: month,
    [`${prefix}day_tokens`]: dayTokens,
    [`${prefix}month_tokens`]: monthTokens,
    [`${prefix}at_once`]: atOnce,
  };
}

function othersIn({ platform, requestsPerMinute, asksPeople, mature, origins }: Partner): Facts {
  const [vouched, asked] = GATES;
  return {
    platform,
    requests_per_minute: requestsPerMinute,
    gates: asksPeople ? asked : vouched,
    mature: mature ? "on" : "off",
    origins: origins?.join(" "),
  };
}

function said(before: Facts, after: Facts): string {
  return Object.keys(after)
    .filter((name) => before[name] !== after[name])
    .map((name) => `${name} ${before[name] ?? "none"} → ${after[name] ?? "none"}`)
    .join(", ");
}
