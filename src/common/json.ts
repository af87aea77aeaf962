/** Plain JSON: what may be kept in the ledger and survive a restart. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** The same with the sign for what cannot be read (U+FFFD) where half a character stood, in names, too. */
export function wellFormed<J extends Json>(value: J): J;
export function wellFormed(value: Json): Json {
  if (typeof value === "string") return value.toWellFormed();
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return (value as readonly Json[]).map((one) => wellFormed(one));
  return Object.fromEntries(
    Object.entries<Json>(value).map(([name, inner]) => [name.toWellFormed(), wellFormed(inner)]),
  );
}
