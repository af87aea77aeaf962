import { AskRefused, isOwnProblem, ownAnswer, posting } from "../../src/state/ask.ts";
import type { PageProblem } from "../../../wire.ts";
import { CONSOLE_API } from "./context.ts";

/** For how long a browser may read what it saves, in milliseconds: some begin only after the click has returned. */
const SAVING_MS = 60_000;

const UNREACHABLE: PageProblem = { code: "unreachable", params: {} };

/**
 * Saves what the server answers as a file. What is sought stands in the request's body: addresses are in the logs of proxies.
 * @throws AskRefused
 */
export async function saveFrom(path: string, sought: unknown, name: string): Promise<void> {
  const answer = await fetch(`${CONSOLE_API}/${path}`, posting(sought)).catch(() => undefined);
  if (!answer?.ok) {
    const problem = answer && (await ownAnswer(answer).catch(() => undefined));
    throw new AskRefused(isOwnProblem(problem) ? problem : UNREACHABLE);
  }
  const address = URL.createObjectURL(await answer.blob());
  Object.assign(document.createElement("a"), { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), SAVING_MS);
}
