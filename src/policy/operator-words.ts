import { readFileSync, statSync } from "node:fs";
import { RE2JS, RE2JSSyntaxException } from "re2js";
import { ConfigError, type SettingMistake } from "../settings/mistakes.ts";
import { fold } from "./fold.ts";
import { readingsOf } from "./readings.ts";
import { Terms } from "./terms.ts";
import { spellings } from "./word-tree.ts";

/** How large a file of words may be, in bytes, and of how many lines. */
const MAX_BYTES = 1024 * 1024;
const MAX_LINES = 10_000;

/** How many lines that do not parse are told of at once. */
const MAX_TOLD = 20;

/** A word or pattern, by where it stands in the file; none for a word of the list. */
export interface Entry {
  readonly line?: number;
}

interface Word extends Entry {
  readonly text: string;
}

interface Pattern extends Entry {
  readonly pattern: RE2JS;
}

/** Words and patterns that whoever runs Reelay wants in no request. */
export class OperatorWords {
  readonly #words: Terms<Entry>;
  readonly #patterns: readonly Pattern[];

  constructor(words: readonly Word[], patterns: readonly Pattern[]) {
    this.#words = new Terms(
      words.map(({ text, ...entry }) => [entry, spellings(text.normalize("NFC").toLowerCase()).map(fold)]),
      { little: [], numbers: [] },
    );
    this.#patterns = patterns;
  }

  /**
   * The first entry that a text holds. A word is found however it is spelt, but not inside another one, nor inflected.
   * A pattern is looked for in the text as it was written, and as a reader sees it (`fold`); in time that grows with
   * the text's length alone, whatever the pattern.
   */
  find(text: string): Entry | undefined {
    for (const line of readingsOf(text)) {
      const [found] = this.#words.find(line);
      if (found) return found.list;
    }
    const forms = [text.normalize("NFKC"), fold(text)];
    const held = this.#patterns.find(({ pattern }) => forms.some((form) => pattern.test(form)));
    if (!held) return undefined;
    return held.line === undefined ? {} : { line: held.line };
  }
}

/**
 * Reads the operator's words, once, at the start.
 * @param inline words of `REELAY_BLOCKED_WORDS`
 * @param file of `REELAY_WORDS_FILE`: an entry a line, `/pattern/` or words; `#` begins a comment
 * @throws ConfigError for every line that does not parse, up to {@link MAX_TOLD}
 */
export function readOperatorWords(inline: readonly string[], file: string | undefined): OperatorWords {
  const mistakes: SettingMistake[] = [];
  const words: Word[] = [];
  const patterns: Pattern[] = [];
  for (const text of inline) {
    const why = isPatternLike(text) ? "patterns stand in REELAY_WORDS_FILE" : wordMistake(text);
    if (why) mistakes.push({ setting: "REELAY_BLOCKED_WORDS", found: `"${text}": ${why}`, wanted: "words" });
    else words.push({ text });
  }
  for (const [index, text] of (file === undefined ? [] : linesOf(file)).entries()) {
    const line = index + 1;
    if (text === "" || text.startsWith("#")) continue;
    const entry = isPatternLike(text) ? patternOf(text) : (wordMistake(text) ?? { text });
    if (typeof entry === "string") mistakes.push(fileMistake(`line ${line}: ${text}: ${entry}`));
    else if ("pattern" in entry) patterns.push({ ...entry, line });
    else words.push({ ...entry, line });
  }
  if (mistakes.length > MAX_TOLD)
    mistakes.splice(MAX_TOLD, Infinity, fileMistake(`and ${mistakes.length - MAX_TOLD} more`));
  if (mistakes.length > 0) throw new ConfigError(mistakes);
  return new OperatorWords(words, patterns);
}

const fileMistake = (
  found: string,
  wanted = "words, or a regular expression between slashes (RE2's syntax), on each line",
): SettingMistake => ({ setting: "REELAY_WORDS_FILE", found, wanted });

/** The lines of a file, without spaces around them. */
function linesOf(file: string): string[] {
  const wanted = `a text file in UTF-8 of at most 1 MiB and ${MAX_LINES} lines`;
  const refuse = (found: string, cause?: unknown) =>
    Object.assign(new ConfigError([fileMistake(`${file}: ${found}`, wanted)]), { cause });
  let bytes: Buffer;
  try {
    const { size } = statSync(file);
    if (size > MAX_BYTES) throw refuse(`${size} bytes`);
    bytes = readFileSync(file);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw refuse(error instanceof Error ? error.message : String(error), error);
  }
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw refuse("not UTF-8", error);
  }
  const lines = text
    .replace(/\r?\n$/, "")
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim());
  if (lines.length > MAX_LINES) throw refuse(`${lines.length} lines`);
  return lines;
}

const isPatternLike = (text: string) => text.startsWith("/");

/** What is wrong with a word. */
const wordMistake = (text: string) => (fold(text) === "" ? "neither letters nor digits" : undefined);

/** A pattern that was written between slashes, or what is wrong with it. */
function patternOf(text: string): Pattern | string {
  if (text.length < 3 || !text.endsWith("/")) return "a pattern stands between two slashes";
  try {
    const pattern = RE2JS.compile(text.slice(1, -1), RE2JS.CASE_INSENSITIVE | RE2JS.MULTILINE);
    return pattern.test("") ? "fits every text" : { pattern };
  } catch (error) {
    if (error instanceof RE2JSSyntaxException) return error.error;
    throw error;
  }
}
