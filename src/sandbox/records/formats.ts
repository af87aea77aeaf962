/** A time as the service writes it: ISO 8601, UTC, without a zone (section 2.1). */
export function timestamp(at: number): string;
export function timestamp(at: number | null): string | null;
export function timestamp(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString().slice(0, -1);
}

/** Hundredths as the decimal number of tokens that the service shows. */
export function tokens(hundredths: number): number {
  return hundredths / 100;
}
