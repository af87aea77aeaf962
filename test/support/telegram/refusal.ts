/** What else an error answer may tell: where a group moved, or how many seconds to wait. */
export interface RefusalParameters {
  readonly migrate_to_chat_id?: number;
  readonly retry_after?: number;
}

/** A call that Telegram answers with an error. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly code: number;
  readonly parameters: RefusalParameters | undefined;

  constructor(code: number, description: string, parameters?: RefusalParameters) {
    super(description);
    this.code = code;
    this.parameters = parameters;
  }

  /** The body of the answer. */
  toJSON(): object {
    return {
      ok: false,
      error_code: this.code,
      description: this.message,
      ...(this.parameters && { parameters: this.parameters }),
    };
  }
}

export const badRequest = (what: string): Refusal => new Refusal(400, `Bad Request: ${what}`);

export const forbidden = (what: string): Refusal => new Refusal(403, `Forbidden: ${what}`);

export const conflict = (what: string): Refusal => new Refusal(409, `Conflict: ${what}`);

/** @param ms how long to wait; told in whole seconds, at least one, as Telegram does */
export function tooManyRequests(ms: number): Refusal {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  return new Refusal(429, `Too Many Requests: retry after ${seconds}`, { retry_after: seconds });
}
