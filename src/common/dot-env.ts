import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { ConfigError, type SettingMistake } from "./config-error.ts";

const FILE = ".env";

/** `NAME=VALUE`, also behind `export`. */
const ASSIGNMENT = /^[ \t]*(?:export[ \t]+)?([A-Za-z_][\w.-]*)[ \t]*=[ \t]*(.*)$/s;

/** What may follow the end of a quote. */
const REST = /^\s*(?:#.*)?$/s;

/** Whether a name is ours, or meant to be. */
type IsOurs = (name: string) => boolean;

/**
 * Lets a `.env` in the current folder fill in what the environment leaves out, if there is one.
 * @param platforms whose names begin settings of ours, too
 * @throws ConfigError for what it says in vain: each line that sets nothing, by its number alone, as its value may be a secret
 */
export function loadDotEnv(env: NodeJS.ProcessEnv, platforms: readonly string[]): void {
  const content = read();
  if (content === undefined) return;
  const ours = new RegExp(`^((reelay|${platforms.join("|")})_.|aws_(access_key_id|secret_access_key)$)`, "i");
  const { values, mistakes } = settingsIn(content, (name) => ours.test(name));
  // Also beside mistakes: the language that they are told in may be there.
  for (const [name, value] of values) env[name] ??= value;
  if (mistakes.length > 0) throw new ConfigError(mistakes);
}

/** The text of the file, by the mark of its encoding; undefined where there is none. */
function read(): string | undefined {
  let content: Buffer;
  try {
    content = readFileSync(FILE);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (code === "ENOENT") return undefined;
    if (code === "EISDIR")
      throw wrongFile(
        "a folder",
        "a file; Docker makes a folder where one that is mounted is missing, which can be removed",
      );
    throw wrongFile(`a file that cannot be read (${code})`, "one that whoever runs Reelay may read");
  }
  const text = new TextDecoder(encodingOf(content)).decode(content);
  if (text.includes("\0")) throw wrongFile("no text", "a text file in UTF-8");
  return text;
}

function encodingOf([first, second]: Buffer): string {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}

/** Each setting is given to Node's reader alone: where it stands behind another, that one passes over what it does not understand. */
function settingsIn(text: string, isOurs: IsOurs) {
  const lines = text.split(/\r\n|\r|\n/);
  const values = new Map<string, string>();
  const mistakes: SettingMistake[] = [];
  let next = 0;
  for (const [nth, line] of lines.entries()) {
    if (nth < next || line.trim() === "" || line.trimStart().startsWith("#")) continue;
    const [found, name = "", value = ""] = ASSIGNMENT.exec(line) ?? [];
    const end = endOf(lines, nth, value, isOurs);
    if (found !== undefined) next = end.line + 1;
    const wrong = found === undefined ? NO_SETTING : mistakeIn(name, end, isOurs);
    if (wrong) mistakes.push({ setting: `${FILE}, line ${nth + 1}`, ...wrong });
    else values.set(name, parseEnv(lines.slice(nth, end.line + 1).join("\n"))[name] ?? "");
  }
  return { values, mistakes };
}

type Mistake = Omit<SettingMistake, "setting">;

/** Where a setting ends. */
interface End {
  /** Its last line, counted from 0. */
  readonly line: number;
  /** What is wrong with its quotes. */
  readonly mistake?: Mistake;
}

/** Where a value ends that begins in a line: a quoted one may be longer than that. */
function endOf(lines: readonly string[], begin: number, value: string, isOurs: IsOurs): End {
  const [quote = ""] = value;
  if (!["'", '"', "`"].includes(quote)) return { line: begin };
  const quoted = [value.slice(1), ...lines.slice(begin + 1)];
  const length = quoted.findIndex((line) => line.includes(quote));
  if (length === -1) return { line: begin, mistake: OPEN };
  const inside = quoted.slice(1, length + 1).map((line) => ASSIGNMENT.exec(line)?.[1] ?? "");
  if (inside.some(isOurs)) return { line: begin, mistake: SWALLOWS };
  const last = quoted[length] ?? "";
  const isWhole = REST.test(last.slice(last.indexOf(quote) + 1));
  return { line: begin + length, ...(!isWhole && { mistake: BEHIND }) };
}

/** What is wrong with a setting. What is for other programs is theirs to judge, unless one of ours is lost in it. */
function mistakeIn(name: string, { mistake }: End, isOurs: IsOurs): Mistake | undefined {
  if (!isOurs(name)) return mistake === SWALLOWS ? mistake : undefined;
  const meant = name.toUpperCase();
  return name === meant ? mistake : { found: "a name in small letters", wanted: meant };
}

const NO_SETTING: Mistake = {
  found: "a line that sets nothing",
  wanted: "NAME=VALUE, or a # at its beginning",
};
const OPEN: Mistake = {
  found: "a quote that does not end",
  wanted: "the same quote behind the value, or none before it",
};
const SWALLOWS: Mistake = { ...OPEN, found: "a quote that does not end before the next setting" };
const BEHIND: Mistake = {
  found: "more behind the end of a quote",
  wanted: "the whole value within the quotes",
};

const wrongFile = (found: string, wanted: string) => new ConfigError([{ setting: FILE, found, wanted }]);
