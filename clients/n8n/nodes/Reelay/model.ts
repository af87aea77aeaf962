/** A field of an operation, as far as a form for it must know it. */
interface FieldSchema {
  readonly title?: string;
  readonly type?: "string" | "integer" | "number" | "boolean" | "array";
  readonly enum?: readonly (string | number)[];
  readonly default?: string | number | boolean;
  /** That it takes files, and of which kind. */
  readonly "x-file"?: "picture" | "sound";
}

/** What can be made. */
export interface Operation {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly input_schema: {
    readonly properties: Readonly<Record<string, FieldSchema>>;
    readonly required: readonly string[];
  };
}

/** A file that a job made. */
interface Media {
  readonly type: string;
  readonly name: string;
  readonly bytes: number;
}

/** A job, as far as something here depends on it. */
export interface Job {
  readonly id: string;
  readonly status: "queued" | "running" | "completed" | "failed" | "cancelled";
  readonly error: { readonly code: string; readonly detail: string } | null;
  readonly media: readonly Media[];
}

/** One page. */
export interface Page<T> {
  readonly data: readonly T[];
  readonly next_cursor: string | null;
}

/** Whether nothing comes of a job any more but what it has. */
export function isOver({ status }: Job): boolean {
  return status !== "queued" && status !== "running";
}
