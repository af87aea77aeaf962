import type { FieldSpec, Quote, Suggestion } from "../../../src/seam/fields.ts";
import type { JobRecord } from "../../../src/seam/access/job-record.ts";
import type { Values } from "../../../src/seam/values.ts";
import type { Phase } from "../../../src/seam/views.ts";
import type { SettingMistake } from "../../../src/common/config-error.ts";
import type { ErrorCode, Params } from "../../../src/common/errors.ts";
import type { MessageKey } from "../../../src/common/i18n.ts";
import type { ExitCode } from "./exit-codes.ts";
import type { OperatorEvents } from "./operator-events.ts";

/** Something that can be done next, with `reelay press TOKEN`. */
export interface ActionLine {
  readonly token: string;
  readonly label: string;
}

/** A sentence in the person's language, and what it was made of for programs. */
export interface Said {
  readonly key: MessageKey;
  readonly params: Params;
  readonly text: string;
}

/** What only the command line can refuse; each has a sentence under `cli.problem.<code>`. */
export type CliCode =
  | "usage"
  | "file_missing"
  | "file_unreadable"
  | "not_a_file"
  | "file_exists"
  | "folder_missing"
  | "name_unusable"
  | "folder_gone"
  | "not_confirmed"
  | "unconfirmed"
  | "not_agreed"
  | "declined"
  | "file_not_saved"
  | "not_saved"
  | "over_already"
  | "port_taken"
  | "unexpected"
  | "value_invalid"
  | "nothing_kept"
  | "folder_in_use"
  | "kept_in_postgres"
  | "not_a_backup"
  | "backup_inside"
  | "backup_at_terminal"
  | "backup_under_way"
  | "backup_not_saved"
  | "restore_not_saved"
  | "backup_moved"
  | "secret_in_use"
  | "move_where"
  | "nothing_to_move"
  | "still_running"
  | "database_in_use"
  | "moved_away"
  | "no_room"
  | "move_under_way";

/** What the command line says, by the names of its events. */
interface CliEvents extends OperatorEvents {
  /** What a job will cost; comes before it begins. */
  readonly quote: Quote & {
    readonly operation: string;
    /** Whether the tokens are play money. */
    readonly sandbox: boolean;
  };
  /** A job moved. Times are milliseconds since 1970, amounts are tokens. */
  readonly progress: {
    readonly job: string;
    readonly operation: string;
    readonly phase: Phase;
    /** The phase as a sentence. */
    readonly text: string;
    readonly ahead?: number;
    readonly percent?: number;
    readonly expectedAt?: number;
    readonly cost?: number;
    readonly actions: readonly ActionLine[];
  };
  /** A job is finished and its files are saved. */
  readonly result: {
    readonly job: string;
    readonly operation: string;
    /** Absolute paths. */
    readonly files: readonly string[];
    readonly cost: number | null;
    readonly balance: number | null;
    readonly tookMs: number;
    readonly actions: readonly ActionLine[];
  };
  /** An answer in words, with facts. */
  readonly notice: Said & {
    readonly facts: readonly { readonly name: MessageKey; readonly label: string; readonly value: Said }[];
    readonly actions: readonly ActionLine[];
  };
  /** A file for the person, such as what is kept about them. */
  readonly file: Said & {
    readonly name: string;
    /** Where it was saved; null: it is printed. */
    readonly path: string | null;
    /** What is in it; null where it was saved. */
    readonly content: string | null;
    readonly actions: readonly ActionLine[];
  };
  /** Somebody's jobs, newest first; for programs, which get them as data. */
  readonly jobs: {
    readonly jobs: readonly Omit<JobRecord, "user" | "tags" | "mature" | "address" | "receipt">[];
  };
  /** A list of jobs. */
  readonly menu: Said & {
    readonly items: readonly {
      readonly job?: string;
      readonly title: Said;
      readonly detail?: Said;
      readonly actions: readonly ActionLine[];
    }[];
    readonly actions: readonly ActionLine[];
  };
  /** What is filled in, and the call that says the same, to be edited. */
  readonly form: {
    /** An operation, or another command. */
    readonly name: string;
    readonly values: Values;
    /** A command line, quoted for a POSIX shell. */
    readonly command: string;
    /** Of a command that makes nothing: each field, and how it is changed. An operation's own call says what there is. */
    readonly changes?: readonly { readonly field: FieldSpec; readonly command: string }[];
  };
  /** Something went wrong; its sentence is also written to standard error. */
  readonly problem: {
    readonly code: ErrorCode | CliCode;
    readonly params: Params;
    readonly text: string;
    /** The field that it is about, where there is one. */
    readonly field?: string;
    readonly job?: string;
    /** Tokens charged; null where it cannot be told. */
    readonly charged: number | null;
    /** What the process ends with because of it. */
    readonly exitCode: ExitCode;
    readonly actions: readonly ActionLine[];
  };
  /** Settings that stop the start; written to standard error as well, a line each. */
  readonly settings: { readonly mistakes: readonly SettingMistake[] };
  /** Entries of a field's catalogue. */
  readonly choices: { readonly choices: readonly Suggestion[] };
  /** How many jobs of earlier calls were taken over. */
  readonly resumed: { readonly count: number };
  /** Ctrl-C came before the end: these jobs can be fetched with `reelay resume`. */
  readonly interrupted: {
    readonly jobs: readonly string[];
    /** Whether the service may have one of them: if not, nothing was charged. */
    readonly sent: boolean;
    /** Set where it is the same call that goes on with what was begun. */
    readonly again?: true;
  };
}

/**
 * Everything that the command line says, or what it says by some of its events: a line of JSON each when piped or with
 * `--json`, else drawn as text.
 */
export type CliEvent<Name extends keyof CliEvents = keyof CliEvents> = {
  readonly [One in Name]: CliEvents[One] & { readonly event: One };
}[Name];
