import { isOwnProblem, ownAnswer, refusal } from "../../src/state/ask.ts";
import type { PageProblem } from "../../../wire.ts";
import { CONSOLE_API, type Desk } from "./context.ts";

/** For how long a browser may read what it saves, in milliseconds: some begin only after the click has returned. */
const SAVING_MS = 60_000;

const LOST: PageProblem = { code: "asked_lost", params: {} };

/**
 * Saves what the server answers as a file.
 * @param init what somebody seeks stands in the body: addresses are in the logs of proxies
 * @throws AskRefused
 */
export async function saveFrom(
  { onOut }: Pick<Desk, "onOut">,
  path: string,
  name: string,
  init?: RequestInit,
): Promise<void> {
  const answer = await fetch(`${CONSOLE_API}/${path}`, init).catch(() => undefined);
  if (!answer?.ok) {
    const problem = answer && (await ownAnswer(answer).catch(() => undefined));
    throw refusal(isOwnProblem(problem) ? problem : LOST, onOut);
  }
  const address = URL.createObjectURL(await answer.blob());
  Object.assign(document.createElement("a"), { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), SAVING_MS);
}
