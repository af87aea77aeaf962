import type { StatementName } from "../../seam/values.ts";
import type { MessageKey } from "../../common/i18n.ts";

/**
 * What people state before they may do something, with its wording. What they say with a request they agreed to
 * (`Origin.agreed`); what is on record they declared (`Person.declared`); what counts, as either of these, is stated.
 */
interface Statement {
  /** Of the wording: a new one is asked again. */
  readonly version: number;
  readonly text: MessageKey;
  /** Said each time, with the very button that begins; what was said before does not count. */
  readonly everyTime?: true;
}

/** Every statement. Whoever changes what one says in `locales/` raises its version. */
export const STATEMENTS: Readonly<Record<StatementName, Statement>> = {
  terms: { version: 1, text: "statement.terms" },
  consent: { version: 1, text: "statement.consent" },
  faces: { version: 1, text: "statement.faces", everyTime: true },
  adult: { version: 1, text: "statement.adult" },
};

/**
 * The version that is recorded with a statement.
 * @param termsUrl where the host's own terms are, if anywhere: other terms are another version
 */
export function versionOf(statement: StatementName, termsUrl: string | undefined): string {
  const version = String(STATEMENTS[statement].version);
  return statement === "terms" && termsUrl !== undefined ? `${version} ${termsUrl}` : version;
}

/** The wording's own number in what {@link versionOf} made, as people are told it: addresses are shown apart. */
export const wordingIn = (version: string): string => version.replace(/ .*/s, "");
