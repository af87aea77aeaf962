import { chance } from "./chance.ts";
import { LIBERTIES } from "./table.ts";

type Table = typeof LIBERTIES;

/** The name of a question. */
export type LibertyName = keyof Table;

/** One answer to every question that the contract leaves open. */
export type Liberties = { readonly [Name in LibertyName]: keyof Table[Name]["choices"] };

/** How long something takes to be seen. */
export type Lag = Liberties["listLag"];

/** Every question's name, in the order of the table. */
export const LIBERTY_NAMES = Object.keys(LIBERTIES).filter(isLibertyName);

/** The usual answers. */
export const USUAL: Liberties = choose((choices) => choices[0]);

/** Answers drawn from a seed: the same for the same seed, and none depends on another. */
export function drawLiberties(seed: string | number): Liberties {
  return choose(
    (choices, name) => choices[Math.floor(chance(String(seed), "liberty", name) * choices.length)],
  );
}

/** What was chosen, question by question, in words. */
export interface ShownLiberty {
  readonly name: LibertyName;
  readonly section: string;
  readonly question: string;
  readonly choice: string;
  readonly answer: string;
  /** Whether it is the usual answer. */
  readonly usual: boolean;
}

/** The choices for a person to read. */
export function shownLiberties(liberties: Liberties): readonly ShownLiberty[] {
  return LIBERTY_NAMES.map((name) => {
    const { section, question, choices } = LIBERTIES[name];
    const choice = liberties[name];
    const answer = new Map(Object.entries(choices)).get(choice) ?? "";
    return { name, section, question, choice, answer, usual: choice === USUAL[name] };
  });
}

function choose(pick: (choices: readonly string[], name: LibertyName) => string | undefined): Liberties {
  const chosen = LIBERTY_NAMES.map((name) => [name, pick(Object.keys(LIBERTIES[name].choices), name)]);
  // Each is one of its own question's choices: they come from the table alone.
  return Object.fromEntries(chosen) as Liberties;
}

function isLibertyName(name: string): name is LibertyName {
  return name in LIBERTIES;
}
