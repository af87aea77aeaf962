import { constants, fstatSync, readFileSync, statSync, writeSync } from "node:fs";
import { devNull } from "node:os";
import { type Readable, Writable } from "node:stream";

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
  /** Whether standard output was closed when this began, so that what is written goes nowhere without an error. */
  isClosed?(): boolean;
  /** Calls back at each Ctrl-C or request to end, or once when whoever started this is gone. Returns the way to stop it. */
  onInterrupt(listener: () => void): () => void;
  /** Leaves at once. */
  leave(code: number): void;
}

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** This process's own. */
export function processIo(): Io {
  const { stdin, stderr, env } = process;
  return {
    stdin,
    stdout: fstatSync(process.stdout.fd).isFile() ? wholeFile(process.stdout.fd) : process.stdout,
    stderr,
    env,
    // It may be gone, which keeps nobody from what needs none.
    get cwd() {
      return process.cwd();
    },
    isClosed: () => isClosed(process.stdout.fd),
    onInterrupt(listener) {
      let isHeard = false;
      const hear = () => {
        isHeard = true;
        listener();
      };
      // It may be told of more than once, and after a signal.
      const leave = () => isHeard || hear();
      for (const signal of SIGNALS) process.on(signal, hear);
      process.on("disconnect", leave);
      return () => {
        for (const signal of SIGNALS) process.off(signal, hear);
        process.off("disconnect", leave);
      };
    },
    leave: (code) => process.exit(code),
  };
}

/**
 * Whether Node found this output closed: it then writes to where all is forgotten, opened to be read, too, as no shell does that
 * is told to. Known on Linux alone.
 */
function isClosed(fd: number): boolean {
  try {
    const [, flags = ""] = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, "utf8")) ?? [];
    const isOpenToAll =
      (Number.parseInt(flags, 8) & (constants.O_WRONLY | constants.O_RDWR)) === constants.O_RDWR;
    return isOpenToAll && fstatSync(fd).rdev === statSync(devNull).rdev;
  } catch {
    return false;
  }
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

/** Takes all of it or fails: what a disk has no more room for, Node's own stream leaves out without a word. */
function wholeFile(fd: number): Writable {
  return new Writable({
    write(piece: Buffer, _encoding, done) {
      try {
        for (let at = 0; at < piece.length;) at += writeSync(fd, piece, at);
        done();
      } catch (error) {
        done(error as Error);
      }
    },
  });
}

/**
 * Listens from now on for what the outputs do not take, so that nothing ends over it: what was begun is to be saved all the same.
 * @returns waits for what is on its way, and says why standard output did not take it
 */
export function listenForLoss({ stdout, stderr }: Io): () => Promise<NodeJS.ErrnoException | undefined> {
  let heard: NodeJS.ErrnoException | undefined;
  stdout.on("error", (error) => (heard ??= error));
  // There is nowhere else to say it; unheard, it would end the process.
  stderr.on("error", () => {});
  return async () => {
    if (stdout.writable) await new Promise<void>((resolve) => stdout.write("", () => resolve()));
    // The last one is known before it is told; those before Node's own stream forgets.
    return heard ?? stdout.errored ?? undefined;
  };
}
