import type { Scope } from "../../../../src/seam/access/partners.ts";
import type { ToolSet } from "../../../../src/seam/config.ts";
import { ReelayError } from "../../../../src/common/errors.ts";
import type { Locale } from "../../../../src/common/i18n.ts";
import type { Asker, ReadInput, Submissions } from "../../jobs/submissions.ts";
import type { Arguments, Tool } from "./tool.ts";

/** One agent, as far as the way matters on which it came. */
export interface AgentSession {
  /** Who it works for, now: a token may be revoked meanwhile. @throws ReelayError `token_invalid` */
  readonly admit: () => Promise<Asker>;
  /** Of sentences about what goes wrong. */
  readonly locale: Locale;
  /** The id of a call: told with a problem, and in the log. */
  readonly requestId: () => string;
  /** Where what it asks for goes, with what everybody else does. */
  readonly submissions: Submissions;
  /** Reads what is to be made, with what may stand for a file there. */
  readonly readerOf: (fields: Arguments) => ReadInput;
  /** Whether somebody serves results at the addresses that jobs give; else they are read through the agent's line. */
  readonly linked: boolean;
  /** How files come and go, for the model to read. */
  readonly instructions: string;
  /** Which tools it is shown; it may call all. */
  readonly shown: ToolSet;
  /** Tools beside those of every agent. */
  readonly tools: readonly Tool[];
}

/**
 * Who an agent works for, provided that their token is good for something.
 * @throws ReelayError `token_invalid`, `scope_missing`
 */
export async function admitted(session: AgentSession, scope: Scope | undefined): Promise<Asker> {
  const asker = await session.admit();
  if (scope && !asker.caller.token.scopes.includes(scope)) throw new ReelayError("scope_missing", { scope });
  return asker;
}
