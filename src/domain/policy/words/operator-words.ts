import { readFileSync, statSync } from "node:fs";
import { RE2JS, RE2JSSyntaxException } from "re2js";
import { ConfigError, type SettingMistake } from "../../../common/config-error.ts";
import { compile, spellings } from "./compile.ts";
import { fold } from "./fold.ts";
import { PATTERN_FLAGS, Patterns } from "./patterns.ts";
import { readingsOf } from "./readings.ts";
import { Terms } from "./terms.ts";

/** How large a file of words may be, in bytes, and of how many lines. */
const MAX_BYTES = 1024 * 1024;
const MAX_LINES = 10_000;

/** How many lines that do not parse are told of at once. */
const MAX_TOLD = 20;

/** A word or pattern, by where it stands in the file; none for a word of the list. */
export interface WordEntry {
  readonly line?: number;
}

interface Word extends WordEntry {
  readonly text: string;
}

interface Pattern extends WordEntry {
  /** In RE2's syntax. */
  readonly source: string;
}

/** Words and patterns that whoever runs Reelay wants in no request. */
export class OperatorWords {
  readonly #words: Terms<WordEntry>;
  readonly #lines: readonly Pattern[];
  readonly #patterns: Patterns;

  constructor(words: readonly Word[], patterns: readonly Pattern[]) {
    this.#words = new Terms(
      compile(
        words.map(({ text, ...entry }) => [entry, spellings(text.normalize("NFC").toLowerCase()).map(fold)]),
        { little: [], numbers: [] },
      ),
      "disguised",
    );
    this.#lines = patterns;
    this.#patterns = new Patterns(patterns.map(({ source }) => source));
  }

  /** The first word that a text holds, however it is spelt, but not inside another one, nor inflected. */
  find(text: string): WordEntry | undefined {
    for (const line of readingsOf(text)) {
      const [found] = this.#words.find(line);
      if (found) return found.list;
    }
    return undefined;
  }

  /**
   * The first pattern that fits a text, as it was written or as a reader sees it (`fold`); `late` where that took longer
   * than {@link Patterns} may.
   */
  async findPattern(text: string): Promise<WordEntry | "late" | undefined> {
    const found = await this.#patterns.find(text);
    return typeof found === "number" ? { line: this.#lines[found]?.line ?? 0 } : found;
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
    else if ("source" in entry) patterns.push({ ...entry, line });
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
    const found = statSync(file);
    // A pipe would be waited for, and a device has no end.
    if (!found.isFile()) throw refuse("not a file");
    if (found.size > MAX_BYTES) throw refuse(`${found.size} bytes`);
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
    const source = text.slice(1, -1);
    return RE2JS.compile(source, PATTERN_FLAGS).test("") ? "fits every text" : { source };
  } catch (error) {
    if (error instanceof RE2JSSyntaxException) return error.error;
    throw error;
  }
}
