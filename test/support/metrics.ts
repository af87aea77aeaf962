/** Numbers as OpenMetrics writes them, by their name and labels as they are written. */
export type Numbers = ReadonlyMap<string, number>;

const LABEL = String.raw`[a-zA-Z_]\w*="(?:[^"\\\n]|\\[\\"n])*"`;
const SAMPLE = new RegExp(String.raw`^([a-zA-Z_:][\w:]*)(\{(?:${LABEL}(?:,${LABEL})*)?\})? (\S+)$`);
const TYPE = /^# TYPE ([a-zA-Z_:][\w:]*) (counter|gauge|histogram|summary|info|unknown)$/;

/** What the names of a type's samples may end with (openmetrics.io, "Suffixes"). */
const ENDINGS: Readonly<Record<string, readonly string[]>> = {
  counter: ["_total"],
  histogram: ["_bucket", "_sum", "_count"],
  summary: ["", "_sum", "_count"],
};

/**
 * Reads what a monitoring system would.
 * @throws Error where a line is none of OpenMetrics, a sample has no type or comes twice, or the end is missing
 */
export function readMetrics(text: string): Numbers {
  const lines = text.split("\n");
  if (lines.at(-1) !== "" || lines.at(-2) !== "# EOF") throw new Error("does not end with # EOF");
  const numbers = new Map<string, number>();
  const types = new Map<string, string>();
  for (const line of lines.slice(0, -2)) {
    const [, family, type] = TYPE.exec(line) ?? [];
    if (family !== undefined && type !== undefined) {
      if (types.has(family)) throw new Error(`a second family ${family}`);
      types.set(family, type);
    }
    if (line.startsWith("# TYPE ") ? family : /^# HELP [a-zA-Z_:][\w:]* \S/.test(line)) continue;
    const [, name = "", labels = "", value = ""] = SAMPLE.exec(line) ?? [];
    const isKnown = [...types].some(([each, kind]) =>
      (ENDINGS[kind] ?? [""]).some((end) => each + end === name),
    );
    if (!isKnown) throw new Error(`a sample of no family: ${line}`);
    if (numbers.has(name + labels)) throw new Error(`a second ${name}${labels}`);
    const number = value === "+Inf" ? Infinity : Number(value);
    if (Number.isNaN(number) && value.toLowerCase() !== "nan") throw new Error(`no number: ${line}`);
    numbers.set(name + labels, number);
  }
  return numbers;
}

/** The sum of all samples of a name that have these labels. */
export function sumOf(numbers: Numbers, name: string, labels: Readonly<Record<string, string>> = {}): number {
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  return [...numbers]
    .filter(([sample]) => sample === name || sample.startsWith(`${name}{`))
    .filter(([sample]) => wanted.every((label) => sample.includes(label)))
    .reduce((sum, [, value]) => sum + value, 0);
}
