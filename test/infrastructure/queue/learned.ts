import { Slots } from "../../../src/infrastructure/queue/slots.ts";

export const TIMES = { pauseMs: 10_000, silentMs: 1_000 };

/** What a key holds. */
export const held = (running: number, unsure = 0) => ({ running, unsure });

/** How many more may leave side by side while so many run, of ten. */
export const sideBySide = (slots: Slots, running: number) => {
  const permits = Array.from({ length: 10 }, () => slots.tryEnter("k", held(running)));
  for (const permit of permits) permit?.abandoned();
  return permits.filter(Boolean).length;
};

/** Slots that were refused while two ran: there are two. */
export const two = () => {
  const slots = new Slots(TIMES);
  const [first, second, third] = [0, 0, 0].map(() => slots.tryEnter("k", held(0)));
  first?.accepted();
  second?.accepted();
  third?.refused();
  return slots;
};
