import { atMost } from "../../../src/common/time.ts";

/** What a platform tells of messages by the names that they were posted under, for those whose answers were lost. */
export class LostAnswers {
  readonly #waiting = new Map<string, PromiseWithResolvers<string>>();

  /** Hears which message was posted under a name. */
  hear(name: string, message: string): void {
    this.#waiting.get(name)?.resolve(message);
  }

  /**
   * Posts a message; where the answer is lost, it is posted once more only if nothing is told of it.
   * @param ms how long that is waited for, in milliseconds
   * @param isAnswer whether an error is the platform's answer: nothing was posted then
   * @returns the message
   */
  async post(
    name: string,
    ms: number,
    post: () => Promise<string>,
    isAnswer: (error: unknown) => boolean,
  ): Promise<string> {
    // It may be told of before it is known that the answer is lost.
    const told = Promise.withResolvers<string>();
    this.#waiting.set(name, told);
    try {
      return await post();
    } catch (error) {
      if (isAnswer(error)) throw error;
      return (await atMost(ms, told.promise)) ? await told.promise : await post();
    } finally {
      this.#waiting.delete(name);
    }
  }
}
