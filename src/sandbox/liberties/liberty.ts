/** A question that the contract leaves open. */
export interface Liberty<Choice extends string> {
  /** Where the contract leaves it open. */
  readonly section: string;
  readonly question: string;
  /** Every answer that fits, in words for a person; the first is the usual one. */
  readonly choices: Readonly<Record<Choice, string>>;
}

/** @param choices the usual one first; names that are whole numbers would be put in their own order */
export function liberty<const Choice extends string>(
  section: string,
  question: string,
  choices: Readonly<Record<Choice, string>>,
): Liberty<Choice> {
  return { section, question, choices };
}
