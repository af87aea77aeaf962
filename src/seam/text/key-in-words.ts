import { likelyKeyIn } from "../../common/likely-key.ts";
import { ownSecretIn } from "../../common/own-secrets.ts";
import { saidKeyIn } from "../../common/said-key.ts";

/**
 * Whether a key may stand in a text, by the text alone: for whoever cannot ask `KeyWatch`, which also knows those that were given
 * before, and suspects less of people who have one.
 */
export function mayHoldKey(text: string): boolean {
  return (ownSecretIn(text) ?? saidKeyIn(text) ?? likelyKeyIn(text)) !== undefined;
}
