import type { Renderer } from "../../../src/sandbox/render/task.ts";
import type { Home } from "../../support/crash-child.ts";
import { freePort } from "../../support/free-port.ts";
import { temporaryFolder, testSandbox } from "../../support/sandbox.ts";
import { FakeWhatsapp } from "../../support/whatsapp/fake-whatsapp.ts";
import type { Person, SeenMessage } from "../../support/whatsapp/person.ts";
import { held, isFilm, photo, WEBHOOK } from "./harness.ts";

export { held, isFilm };

/** What a message is like that says that a job has begun. */
export const isBegun = ({ text }: Pick<SeenMessage, "text">): boolean =>
  text.includes("It comes here by itself");

const isStale = ({ text }: SeenMessage) => text.includes("too old");

/** A process of the program's, and where Meta would call it. */
export interface Place {
  readonly home: Home;
  readonly webhook: string;
}

/**
 * A service that the operator pays for, a WhatsApp whose webhooks are tried again soon, and a place for a process or for two.
 * @param render how the service makes films, where not at once
 */
export async function surroundings(env: Home["env"] = {}, render?: Renderer) {
  const sandbox = await testSandbox(render && { render });
  const whatsapp = await FakeWhatsapp.start({
    timeScale: 0.2,
    limits: { throughput: 10_000, pairBurst: 1_000 },
  });
  const data = temporaryFolder();
  /** @param within what starts it; see `Home` */
  const place = async (within: readonly string[] = []): Promise<Place> => {
    const port = String(await freePort());
    const home = {
      data,
      within,
      env: {
        REELAY_API_URL: sandbox.url,
        REELAY_API_KEY: sandbox.keys.ultra,
        REELAY_OPERATOR_KEY_FOR: "all",
        REELAY_PUBLIC_URL: "https://studio.example.com",
        REELAY_SECRET: "a secret for tests only",
        REELAY_RATE_WINDOW_MS: "1200",
        REELAY_POLL_MS: "100",
        ...whatsapp.settings,
        ...env,
        REELAY_PORT: port,
      },
    };
    return { home, webhook: `http://127.0.0.1:${port}${WEBHOOK}` };
  };
  return {
    sandbox,
    whatsapp,
    place,
    async [Symbol.asyncDispose]() {
      await whatsapp.stop();
      await sandbox.stop();
    },
  };
}

/**
 * Sends a photo with words of its person's own, presses what spends, and waits for the film.
 * @param within how long each step may take, in milliseconds
 */
export async function asksFor(person: Person, within: number): Promise<void> {
  person.sendsPhoto(photo, { caption: `dance of ${person.name}` });
  await spends(person, within);
}

/** Killed between posting an offer and noting it, Reelay says that the press came too late, and makes the offer again. */
async function spends(person: Person, within: number): Promise<void> {
  const { length: before } = person.chat().filter(isStale);
  await person.presses(/generate/i, { within });
  const hasFilm = () => person.chat().some(isFilm);
  const isLate = () => person.chat().filter(isStale).length > before;
  await person.until(() => hasFilm() || isLate(), { within });
  if (!hasFilm()) await spends(person, within);
}
