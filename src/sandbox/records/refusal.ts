import type { ContentfulStatusCode } from "hono/utils/http-status";

/** A request that the service refuses: becomes the error object `{error, code}` (section 2.12). */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: ContentfulStatusCode;

  /**
   * @param status the HTTP status, also the object's `code`
   * @param message the object's `error`, for a person
   */
  constructor(status: ContentfulStatusCode, message: string) {
    super(message);
    this.status = status;
  }
}
