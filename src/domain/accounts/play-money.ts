import type { KeySource } from "./accounts.ts";

/** Who pays in the built-in sandbox, under whichever key. */
const SANDBOX = "sandbox" satisfies KeySource;

/**
 * Which jobs are counted: of a service those that its tokens paid for, in the built-in sandbox those of its play money. The two are
 * never added up. Where an older version did not write down who paid, the tokens may have been real, and count as such.
 */
export const paidIn = (inSandbox: boolean) =>
  ["paid_by", inSandbox ? "=" : "is distinct from", SANDBOX] as const;

/** Whose tokens a job is paid with. @param source whose key it is */
export const paidBy = (source: KeySource, inSandbox: boolean): KeySource => (inSandbox ? SANDBOX : source);

/** Under whom it is counted what a partner begins and spends: play money apart, the tokens of a service together, whoever pays. */
export const purseOf = (inSandbox: boolean): { readonly payer?: string } =>
  inSandbox ? { payer: SANDBOX } : {};
