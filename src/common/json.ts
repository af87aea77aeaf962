/** Plain JSON: what may be kept in the ledger and survive a restart. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
