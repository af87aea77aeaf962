import { createParser, type EventSourceMessage } from "eventsource-parser";

/** Reads server-sent events until the stream closes, or as many as are wanted. */
export async function readEvents(answer: Response, wanted = Infinity): Promise<EventSourceMessage[]> {
  const events: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => void events.push(event) });
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (!reader) throw new Error("There is no body.");
  while (events.length < wanted) {
    const { value, done } = await reader.read();
    if (done) break;
    parser.feed(value);
  }
  await reader.cancel();
  return events;
}
