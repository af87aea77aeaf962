import { clearLine, cursorTo } from "node:readline";
import type { Output } from "./io.ts";
import { beginning } from "../../../src/seam/text/cut.ts";

const WIDTH = 24;
const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const FRAME_MS = 120;
/** Some terminals do not know their width, or say 0. */
const DEFAULT_COLUMNS = 80;

/**
 * One line that moves until it is cleared. Not clack's: that one reads the keyboard raw and leaves with 0 at
 * Ctrl-C, before anybody could say what becomes of a paid job.
 */
export class ProgressBar {
  readonly #stream: Output;
  #timer: NodeJS.Timeout | undefined;
  #frame = 0;
  #text = () => "";
  #percent: number | undefined;

  constructor(stream: Output) {
    this.#stream = stream;
  }

  /**
   * Shows a state; it keeps moving by itself.
   * @param text said anew at each frame, because it may hold the time left
   * @param percent 0 to 100; undefined where it is not known
   */
  show(text: () => string, percent: number | undefined): void {
    this.#text = text;
    this.#percent = percent;
    this.#timer ??= setInterval(() => this.#draw(), FRAME_MS).unref();
    this.#draw();
  }

  /** Takes the line away. */
  clear(): void {
    if (!this.#timer) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#wipe();
  }

  #draw(): void {
    this.#frame = (this.#frame + 1) % FRAMES.length;
    const line = [FRAMES[this.#frame], ...this.#bar(), this.#text()].join(" ");
    const columns = this.#stream.columns || DEFAULT_COLUMNS;
    this.#wipe();
    // A line that wraps could not be wiped again.
    this.#stream.write(beginning(line, columns - 1));
  }

  #bar(): string[] {
    if (this.#percent === undefined) return [];
    const filled = Math.round((Math.min(100, Math.max(0, this.#percent)) / 100) * WIDTH);
    return [`${"━".repeat(filled)}${"─".repeat(WIDTH - filled)} ${Math.round(this.#percent)}%`];
  }

  #wipe(): void {
    cursorTo(this.#stream, 0);
    clearLine(this.#stream, 0);
  }
}
