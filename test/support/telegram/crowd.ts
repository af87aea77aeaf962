import { sleep } from "../../../src/common/time.ts";
import { testPicture } from "../sandbox.ts";
import type { FakeTelegram } from "./fake-telegram.ts";
import type { Person } from "./person.ts";

/** One of many, with what they wrote after their photo. */
interface Visitor {
  readonly person: Person;
  readonly wish: string | undefined;
}

/** What came of the updates of many. */
export interface Outcome {
  readonly updates: number;
  /** Updates that were answered. */
  readonly answered: number;
  /** What was said to them beyond one answer an update. */
  readonly surplus: number;
  /** People who got all their answers, in the order of what they sent. */
  readonly inOrder: number;
}

/** Many people send a photo each, evenly in time; every second one writes a wish right after it. */
export async function crowd(
  telegram: FakeTelegram,
  { people, withinMs }: { readonly people: number; readonly withinMs: number },
): Promise<readonly Visitor[]> {
  const photo = Buffer.from(await testPicture(), "base64");
  const start = performance.now();
  const context = async (nth: number): Promise<Visitor> => {
    await sleep(start + (nth * withinMs) / people - performance.now());
    const person = telegram.person({ name: `Visitor ${nth}` });
    await person.sendsPhoto(photo);
    const wish = nth % 2 === 0 ? `wish ${nth}` : undefined;
    if (wish !== undefined) person.says(wish);
    return { person, wish };
  };
  return Promise.all(Array.from({ length: people }, (_, nth) => context(nth)));
}

/**
 * What came of a crowd.
 * @param toPhoto a part of what the bot says to a photo; to a wish it says the wish again
 */
export function outcomeOf(visitors: readonly Visitor[], toPhoto: string): Outcome {
  const each = visitors.map(({ person, wish }) => {
    const said = saidTo(person);
    const due = wish === undefined ? [toPhoto] : [toPhoto, wish];
    const answered = due.filter((part) => said.some((text) => text.includes(part))).length;
    const inOrder = due.every((part, nth) => said[nth]?.includes(part));
    return { updates: due.length, answered, surplus: said.length - answered, inOrder: inOrder ? 1 : 0 };
  });
  const sum = (what: keyof Outcome) => each.reduce((total, one) => total + one[what], 0);
  return {
    updates: sum("updates"),
    answered: sum("answered"),
    surplus: sum("surplus"),
    inOrder: sum("inOrder"),
  };
}

/** All that the bot said to somebody, oldest first: what a message showed before an edit counts too. */
function saidTo(person: Person): readonly string[] {
  return person
    .chat()
    .filter(({ from }) => from === "bot")
    .flatMap((message) => message.history.concat(message))
    .map(({ text }) => text);
}
