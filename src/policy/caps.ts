import { type Partner, partnerUser } from "../chat/partners.ts";
import type { CountQuery } from "../jobs/count.ts";
import type { Cap } from "./tally.ts";

/** A cap that the operator set for a partner. */
export interface PartnerCap<Period extends "day" | "month" | "at_once"> extends Cap<Period> {
  /** Whether it is for all jobs of the partner, or for those of one `in_app_username`. */
  readonly whose: "partner" | "user";
  /** The jobs that it is for. */
  readonly jobs: CountQuery;
}

/** What a job of a partner counts under; the smaller crowd comes first, because its refusal says more. */
export interface PartnerCaps {
  readonly begun: readonly PartnerCap<"day" | "month">[];
  readonly atOnce: readonly PartnerCap<"at_once">[];
}

/** @param username the service's `in_app_username` that the job is for */
export function capsOfPartner({ id, caps, userCaps }: Partner, username: string): PartnerCaps {
  const user = partnerUser(id);
  const crowds = [
    // Ids hold no spaces, so that no name of a user makes one partner's user another's.
    { caps: userCaps, whose: "user", by: `${user} ${username}`, jobs: { user, username } },
    { caps, whose: "partner", by: user, jobs: { user } },
  ] as const;
  return {
    begun: crowds.flatMap(({ caps: { day, month }, ...crowd }) => [
      ...capOf(crowd, "day", day),
      ...capOf(crowd, "month", month),
    ]),
    atOnce: crowds.flatMap(({ caps: { atOnce }, ...crowd }) => capOf(crowd, "at_once", atOnce)),
  };
}

function capOf<Period extends "day" | "month" | "at_once">(
  crowd: Omit<PartnerCap<Period>, "period" | "max">,
  period: Period,
  max: number | undefined,
): PartnerCap<Period>[] {
  return max === undefined ? [] : [{ ...crowd, period, max }];
}
