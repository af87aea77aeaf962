import type { Readable, Writable } from "node:stream";

/** A stream that may be a terminal. */
export type Output = Writable & { readonly isTTY?: boolean; readonly columns?: number };

/** What the command line touches of its process; tests hand in their own. */
export interface Io {
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Paths are taken from here. */
  readonly cwd: string;
  /** Calls back at each Ctrl-C or request to end. Returns the way to stop it. */
  onInterrupt(listener: () => void): () => void;
  /** Leaves at once. */
  leave(code: number): void;
}

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** This process's own. */
export function processIo(): Io {
  // Whoever reads may leave early (`| head`): the job is to be saved all the same.
  process.stdout.on("error", ignoreClosedPipe);
  const { stdin, stdout, stderr, env } = process;
  return {
    stdin,
    stdout,
    stderr,
    env,
    cwd: process.cwd(),
    onInterrupt(listener) {
      for (const signal of SIGNALS) process.on(signal, listener);
      return () => {
        for (const signal of SIGNALS) process.off(signal, listener);
      };
    },
    leave: (code) => process.exit(code),
  };
}

/** How Ctrl-C is heard. */
export interface Interruption {
  readonly signal: AbortSignal;
  /** Resolves at the first one. */
  readonly happened: Promise<void>;
  /** Stops listening. */
  readonly release: () => void;
}

/**
 * Aborts at the first Ctrl-C; the second one leaves at once.
 * @param onFirst what is said at the first
 */
export function interruption(io: Io, onFirst: () => void, leaveWith: number): Interruption {
  const first = new AbortController();
  const release = io.onInterrupt(() => {
    if (first.signal.aborted) return io.leave(leaveWith);
    onFirst();
    first.abort();
  });
  const happened = new Promise<void>((resolve) => {
    first.signal.addEventListener("abort", () => resolve());
  });
  return { signal: first.signal, happened, release };
}

function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
}
