import { Throttler } from "../../../adapters/kit/throttle/throttler.ts";
import { ChatClient, LIMITS } from "../chat/client.ts";

/** The chat's client at the pace that the chat takes. */
export class Api extends ChatClient {
  readonly #throttler = new Throttler({ overall: { most: LIMITS.perSecond, ms: 1_000 }, inChat: () => [] });

  protected override async request(
    ...call: Parameters<ChatClient["request"]>
  ): Promise<Response | undefined> {
    const [chat] = call;
    const answered = await this.#throttler.turn({ chat, messages: 1, since: performance.now() });
    return super.request(...call).finally(answered);
  }

  /** Makes no call any more. */
  stop(): void {
    this.#throttler.close(new Error("The adapter has stopped."));
  }
}
