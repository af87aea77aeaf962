const MIB = 2 ** 20;
const MINUTE_MS = 60_000;

/**
 * What Discord takes, from its documentation (https://docs.discord.com/developers): pages are named by their path.
 * Lengths are in characters, sizes in bytes, times in milliseconds.
 */
export const DISCORD = {
  /** interactions/receiving-and-responding: the first answer, and how long the token lives after it. */
  firstAnswerMs: 3_000,
  tokenMs: 15 * MINUTE_MS,
  /** resources/message, "Create Message". */
  files: 10,
  nonce: 25,
  /** reference, "Uploading Files": a bot's file where an interaction says nothing else, and a whole request. */
  file: 10 * MIB,
  request: 25 * MIB,
  /** components/reference. */
  text: 4_000,
  components: 40,
  alt: 1_024,
  rows: 5,
  rowButtons: 5,
  customId: 100,
  buttonLabel: 80,
  selectOptions: 25,
  selectText: 100,
  placeholder: 150,
  modal: { title: 45, label: 45, description: 100, inputs: 5, textInput: 4_000, placeholder: 100 },
  /** interactions/application-commands. */
  command: {
    name: 32,
    description: 100,
    subcommands: 25,
    options: 25,
    choices: 25,
    choice: 100,
    /** Characters of an option's words. */
    text: 6_000,
    total: 8_000,
  },
} as const;
