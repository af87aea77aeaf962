import type { Json } from "../../../src/chat/values.ts";
import type { Asker, ReadInput } from "../submissions.ts";
import type { Tool } from "./tool.ts";

/** What a tool is called with, or a part of it. */
export type Arguments = { readonly [name: string]: Json };

/** One agent, as far as the way matters on which it came. */
export interface AgentSession {
  /** Who it works for, now: a token may be revoked meanwhile. @throws ReelayError `token_invalid` */
  readonly admit: () => Promise<Asker>;
  /** The id of a call: told with a problem, and in the log. */
  readonly requestId: () => string;
  /** Reads what is to be made, with what may stand for a file there. */
  readonly readerOf: (fields: Arguments) => ReadInput;
  /** Whether somebody serves results at the addresses that jobs give; else they are read through the agent's line. */
  readonly linked: boolean;
  /** Tools beside those of every agent. */
  readonly tools: readonly Tool[];
}
