import type { SeenMessage } from "../../support/telegram/seen.ts";

/** Whether a message is what was made. */
export const isResult = ({ from, media, history }: SeenMessage) =>
  from === "bot" && media !== undefined && history.every((before) => before.media === undefined);
