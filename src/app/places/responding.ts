import { spawn } from "node:child_process";
import { childEnvironment } from "../../infrastructure/media/child-environment.ts";

/** How long a folder may take to answer, in milliseconds: a disk that slept wakes up in less. */
export const ANSWER_MS = 15_000;

/**
 * Whether the file system under a path answers. It is asked by a process of its own: a thread of ours that waits for a mount
 * whose server is gone can neither be interrupted nor left behind, so that this process could not even end.
 * @param path need not be there: that is an answer, too
 * @param within milliseconds
 */
export async function responds(path: string, within: number): Promise<boolean> {
  const asking = spawn("head", ["-c", "0", path], { env: childEnvironment(), stdio: "ignore" });
  asking.unref();
  const answered = new Promise<true>((resolve) => {
    asking.once("exit", () => resolve(true));
    // There is no such program here.
    asking.once("error", () => resolve(true));
  });
  const waited = Promise.withResolvers<false>();
  const timer = setTimeout(() => waited.resolve(false), within);
  try {
    return await Promise.race([answered, waited.promise]);
  } finally {
    clearTimeout(timer);
    asking.kill("SIGKILL");
  }
}
