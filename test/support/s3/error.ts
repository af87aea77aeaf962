/** What a store refuses. */
export class S3Error extends Error {
  readonly status: number;
  readonly code: string;
  /** @param code as in "Error responses" of the S3 API reference */
  constructor(status: number, code: string) {
    super(code);
    this.status = status;
    this.code = code;
  }
}
