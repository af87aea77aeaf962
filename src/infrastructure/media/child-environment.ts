/** What a program needs to be found and to start; nothing of these is a secret. */
const NEEDED = [
  "PATH",
  "LD_LIBRARY_PATH",
  "DYLD_LIBRARY_PATH",
  "SystemRoot",
  "TEMP",
  "TMP",
  "TMPDIR",
] as const;

/**
 * The environment of a child process: what it needs to start, and nothing of ours. The settings, keys and tokens among them,
 * are in the environment of this process, and whatever a child does with what people sent it must not find them.
 */
export function childEnvironment(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    NEEDED.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
