import type { Job } from "./made/answers.ts";

/** What happened to a job. */
export interface JobEvent {
  readonly id: string;
  readonly type: "job.progress" | "job.completed" | "job.failed" | "job.cancelled";
  /** As it was then. */
  readonly job: Job;
}

/** The events in a stream of them (`text/event-stream`). */
export async function* eventsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<JobEvent> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of body) {
    const messages = (text + decoder.decode(chunk, { stream: true })).split("\n\n");
    text = messages.pop() ?? "";
    for (const message of messages) {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(message)?.[1] ?? "";
      const data = field("data");
      if (data)
        yield { id: field("id"), type: field("event") as JobEvent["type"], job: JSON.parse(data) as Job };
    }
  }
}
