import { AsyncLocalStorage } from "node:async_hooks";
import type { MiddlewareHandler } from "hono";
import { currentTime } from "../../common/time.ts";

/** A request over HTTP that is worked on. */
export interface BegunRequest {
  /** The id that the log has for it. */
  readonly id: string;
  /** When it came, in milliseconds since 1970. */
  readonly at: number;
}

/** Knows which request something is done for. */
export class Requests {
  readonly #begun = new AsyncLocalStorage<BegunRequest>();

  /** To be mounted before what answers them. */
  readonly follow: MiddlewareHandler = (c, next) =>
    this.#begun.run({ id: c.get("request"), at: currentTime() }, next);

  /** The one that this is done for; undefined where nobody asked over HTTP. */
  get current(): BegunRequest | undefined {
    return this.#begun.getStore();
  }
}
