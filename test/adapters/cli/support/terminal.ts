import assert from "node:assert/strict";
import { PassThrough, Writable } from "node:stream";
import type { z } from "zod";
import { lineSchema } from "../../../../adapters/cli/json/lines.ts";
import type { Io, Output } from "../../../../adapters/cli/output/io.ts";

/** A line of JSON. */
type Line = z.infer<typeof lineSchema>;

/** What a fake terminal is like. */
export interface TerminalOptions {
  /** Whether a person sits there; else everything is piped. */
  readonly tty?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** The streams and signals of a process that is not there. */
export class Terminal implements Io {
  readonly stdin: PassThrough & { isTTY?: boolean; setRawMode?: (raw: boolean) => void } = new PassThrough();
  readonly stdout: Output & Recording;
  readonly stderr: Output & Recording;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Exit codes of calls that left at once. */
  readonly left: number[] = [];
  readonly #listeners = new Set<() => void>();

  constructor({ tty = false, env = {}, cwd = "/" }: TerminalOptions = {}) {
    this.stdin.isTTY = tty;
    this.stdin.setRawMode = () => {};
    this.stdout = new Recording(tty);
    this.stderr = new Recording(tty);
    this.env = env;
    this.cwd = cwd;
  }

  onInterrupt(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  leave(code: number): void {
    this.left.push(code);
  }

  /** Ctrl-C. */
  interrupt(): void {
    for (const listener of this.#listeners) listener();
  }

  get isListening(): boolean {
    return this.#listeners.size > 0;
  }

  /** Standard output as NDJSON, each line as the schema has it and with nothing beside. */
  get events(): Line[] {
    return this.stdout.text
      .split("\n")
      .filter(Boolean)
      .map((text) => {
        const line = lineSchema.parse(JSON.parse(text));
        assert.deepEqual(JSON.parse(text), line);
        return line;
      });
  }

  /** The one event of this kind. */
  event<E extends Line["event"]>(kind: E): Extract<Line, { event: E }> {
    const found = this.events.filter((event) => event.event === kind);
    if (found.length !== 1) throw new Error(`${found.length} events ${kind} in: ${this.stdout.text}`);
    return found[0] as Extract<Line, { event: E }>;
  }
}

class Recording extends Writable {
  text = "";
  readonly columns = 100;
  readonly isTTY: boolean;

  constructor(tty: boolean) {
    super({ decodeStrings: false });
    this.isTTY = tty;
  }

  override _write(chunk: string | Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}
