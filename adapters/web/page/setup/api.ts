import type {
  Entered,
  Finding,
  Remark,
  SetupOutcome,
  SetupState,
  SetupStep,
} from "../../../../src/seam/surface/setup.ts";
import type { PageProblem } from "../../wire.ts";
import { isOwnProblem, ownAnswer } from "../src/state/ask.ts";

/** An answer that is none of these, or none at all. */
export class SetupRefused extends Error {
  readonly problem: PageProblem;
  constructor(problem: PageProblem) {
    super(problem.code);
    this.problem = problem;
  }
}

/** What the server answers. Every method throws {@link SetupRefused}. */
export interface SetupApi {
  state(): Promise<SetupState>;
  login(token: string): Promise<void>;
  look(step: SetupStep): Promise<readonly Finding[]>;
  save(step: SetupStep, entered: Entered): Promise<SetupOutcome>;
  tryOut(channel: string): Promise<Remark>;
}

/** Answers that say what came of what was entered: it was not kept. */
const OUTCOMES = new Set([409, 422]);

async function ask<T>(path: string, body?: unknown): Promise<T> {
  const init =
    body === undefined
      ? {}
      : {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(body),
        };
  let problem: PageProblem = { code: "asked_lost", params: {} };
  try {
    const response = await fetch(`/web/${path}`, init);
    const answer = await ownAnswer(response);
    if (response.ok || OUTCOMES.has(response.status)) return answer as T;
    if (isOwnProblem(answer)) problem = answer;
  } catch {
    // Nothing is known then.
  }
  throw new SetupRefused(problem);
}

export const API: SetupApi = {
  state: () => ask("setup"),
  login: (token) => ask("login", { token }),
  look: (step) => ask(`setup/${step}/findings`),
  save: (step, entered) => ask(`setup/${step}`, entered),
  tryOut: (channel) => ask("setup/discord/hello", { channel }),
};
