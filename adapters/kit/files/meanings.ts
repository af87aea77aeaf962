/** What a platform's codes mean. @param codes those that mean something of their own, by what that is */
export function meaningsOf<Meaning extends string>(
  codes: Readonly<Partial<Record<Meaning, readonly number[]>>>,
): ReadonlyMap<number, Meaning> {
  const all = Object.entries(codes) as [Meaning, readonly number[]][];
  return new Map(all.flatMap(([meaning, some]) => some.map((code) => [code, meaning] as const)));
}
