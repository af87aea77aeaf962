import type { Translate } from "../../src/i18n.ts";
import type { CliEvent } from "./events.ts";
import type { Io } from "./io.ts";
import { ProgressBar } from "./progress-bar.ts";
import { linesOf, plain, progressLine } from "./text.ts";

/** Says what happens, to a person or to a program. */
export interface Printer {
  print(event: CliEvent): void;
  /** A word to whoever watches, no event. */
  aside(text: string): void;
  /** Takes away what was drawn only for the moment. */
  close(): void;
}

/** Events that standard error hears of as well: whoever pipes the output is to see what went wrong. */
const isTrouble = ({ event }: CliEvent) => event === "problem" || event === "settings";

/** One line of JSON an event. */
export function jsonPrinter({ stdout, stderr }: Io, translate: Translate): Printer {
  return {
    print(event) {
      stdout.write(`${JSON.stringify(event)}\n`);
      if (isTrouble(event)) stderr.write(textOf(event, translate));
    },
    aside: (text) => void stderr.write(`${text}\n`),
    close: () => {},
  };
}

/** Text for a person at a terminal, with a bar while a job goes on. */
export function textPrinter({ stdout, stderr }: Io, translate: Translate): Printer {
  const bar = new ProgressBar(stdout);
  return {
    print(event) {
      if (event.event === "progress") {
        const percent = event.phase === "running" ? event.percent : undefined;
        bar.show(() => progressLine(translate, event, Date.now()), percent);
        return;
      }
      bar.clear();
      (isTrouble(event) ? stderr : stdout).write(textOf(event, translate));
    },
    aside(text) {
      bar.clear();
      stderr.write(`${text}\n`);
    },
    close: () => bar.clear(),
  };
}

function textOf(event: CliEvent, translate: Translate): string {
  return linesOf(translate, event)
    .map((line) => `${plain(line)}\n`)
    .join("");
}
