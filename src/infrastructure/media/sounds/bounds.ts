/** What sounds may be. */
export interface SoundBounds {
  /** MIME types. */
  readonly types: readonly string[];
  /** Of each. */
  readonly maxBytes: number;
  /** Of each. */
  readonly maxSeconds: number;
  readonly maxSecondsTogether: number;
}
