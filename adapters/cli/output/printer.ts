import type { Translate } from "../../../src/common/i18n.ts";
import type { CliEvent } from "./events.ts";
import type { Io } from "./io.ts";
import { lineOf } from "./line-of.ts";
import { ProgressBar } from "./progress-bar.ts";
import { isToldEverywhere, linesOf, movingLine, plain, progressLine } from "./text.ts";
import { currentTime } from "../../../src/common/time.ts";

/** Where it is said. */
type Outputs = Pick<Io, "stdout" | "stderr">;

/** Says what happens, to a person or to a program. */
export interface Printer {
  print(event: CliEvent): void;
  /** A word to whoever watches, no event. */
  aside(text: string): void;
  /** How far something is, to whoever watches at a terminal; no event, and gone with the next one. */
  meanwhile(line: string): void;
  /** Takes away what was drawn only for the moment. */
  close(): void;
}

/** Events that standard error hears of as well: whoever pipes the output is to see what went wrong. */
const isTrouble = ({ event }: CliEvent) => event === "problem" || event === "settings";

/** Answers that are why the call fails: at a terminal they are read where every answer is. */
const isFailure = (event: CliEvent) =>
  (event.event === "rotated" && event.unreadable > 0) ||
  (event.event === "alerts_tested" && !isToldEverywhere(event.places));

/**
 * One line of JSON an event.
 * @param wanted whether somebody asked for that; into a mere pipe a file goes as it is
 */
export function jsonPrinter(io: Io, translate: Translate, wanted: boolean): Printer {
  const { stdout, stderr } = io;
  return {
    print(event) {
      if (!wanted && printedFile(io, translate, event)) return;
      stdout.write(`${JSON.stringify(lineOf(event))}\n`);
      if (isTrouble(event) || isFailure(event)) stderr.write(textOf(event, translate));
    },
    aside: (text) => void stderr.write(`${text}\n`),
    meanwhile: () => {},
    close: () => {},
  };
}

/** Text for a person at a terminal, with a bar while a job goes on. */
export function textPrinter(io: Outputs, translate: Translate): Printer {
  const { stdout, stderr } = io;
  const bar = new ProgressBar(stdout);
  /** Where each job was last: why a finished one is waited for is said whole, once; the bar's line is cut. */
  const waiting = new Map<string, string>();
  return {
    print(event) {
      if (event.event === "progress") {
        if (event.phase.startsWith("awaiting_") && waiting.get(event.job) !== event.phase) {
          bar.clear();
          stderr.write(textOf(event, translate));
        }
        waiting.set(event.job, event.phase);
        const percent = event.phase === "running" ? event.percent : undefined;
        bar.show(() => progressLine(translate, event, currentTime()), percent);
        return;
      }
      if (event.event === "moving") {
        const { rows, of } = event;
        bar.show(() => movingLine(translate, event), of > 0 ? (100 * rows) / of : undefined);
        return;
      }
      bar.clear();
      if (printedFile(io, translate, event)) return;
      (isTrouble(event) ? stderr : stdout).write(textOf(event, translate));
    },
    aside(text) {
      bar.clear();
      stderr.write(`${text}\n`);
    },
    meanwhile: (line) => bar.show(() => line, undefined),
    close: () => bar.clear(),
  };
}

/** Prints what is in a file, and what is said of it beside that. Returns whether there was one to print. */
function printedFile({ stdout, stderr }: Outputs, translate: Translate, event: CliEvent): boolean {
  if (event.event !== "file" || event.content === null) return false;
  const { content } = event;
  stderr.write(textOf(event, translate));
  stdout.write(stdout.isTTY ? content.split("\n").map(plain).join("\n") : content);
  if (!content.endsWith("\n")) stdout.write("\n");
  return true;
}

function textOf(event: CliEvent, translate: Translate): string {
  return linesOf(translate, event)
    .map((line) => `${plain(line)}\n`)
    .join("");
}
