import { Option } from "commander";

/** A flag of which is known what can be given. Something else than commander checks that: the core, or a parser. */
export class ListedOption extends Option {
  /** What can be given, where that is a short list. */
  readonly values: readonly string[] | undefined;
  /** The command that lists what can be given, where a catalogue knows that. */
  readonly listedBy: string | undefined;
  /** Whether what is given is the name of a file. */
  readonly isFile: boolean;

  constructor(
    term: string,
    about: string,
    known: { values?: readonly string[]; listedBy?: string; isFile?: boolean },
  ) {
    super(term, about);
    this.isFile = known.isFile ?? false;
    this.values = known.values;
    this.listedBy = known.listedBy;
  }
}

/** What can be given with a flag, where that is a short list. */
export function valuesOfFlag(option: Option): readonly string[] | undefined {
  return option instanceof ListedOption ? option.values : option.argChoices;
}
