import type { PartnerCard } from "../../../console/people-wire.ts";

/** What a part of a partner's file works with. */
export interface PartnerPart {
  readonly card: PartnerCard;
  /** Something was changed, or could not be. */
  readonly onChanged: () => void;
}
