import type { Runtime } from "../../../src/seam/surface/runtime.ts";
import type { Locale, Translate } from "../../../src/common/i18n.ts";
import type { Io } from "../output/io.ts";
import type { Printer } from "../output/printer.ts";

/** What every command of the command line works with. */
export interface Shell {
  readonly io: Io;
  readonly runtime: Runtime;
  readonly locale: Locale;
  readonly translate: Translate;
  /** Whether a program reads what is printed. */
  readonly json: boolean;
  readonly printer: Printer;
}
