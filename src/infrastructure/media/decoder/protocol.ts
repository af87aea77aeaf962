import type { Params, ErrorCode } from "../../../common/errors.ts";
import type { TaskInput, TaskName, TaskOutput } from "./tasks.ts";

/** What a process is asked to do; one thing at a time. */
export interface Request<T extends TaskName = TaskName> {
  readonly task: T;
  readonly input: TaskInput<T>;
}

/** What comes of it: once `ready` when it has started, then `begun` and one of the others for each request. */
export type DecoderReply =
  | { readonly ready: true }
  /** Said before the file is touched: what ends the process from here on may be the file's doing. */
  | { readonly begun: true }
  | { readonly output: TaskOutput<TaskName> }
  /** What a person can be told. */
  | { readonly problem: { readonly code: ErrorCode; readonly params: Params } }
  /** What a library said. */
  | { readonly failure: string };
