import type { Upload } from "./messages.ts";
import type { World } from "./world.ts";

/** A call over REST, as it was read from the wire. */
export interface RestRequest<Body = unknown> {
  /** By their names in the description: `channel_id`. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: Body;
  readonly uploads: readonly Upload[];
}

/** Handles a call: what it returns is the JSON of the answer; nothing is 204. */
export type Handler = (world: World, request: RestRequest<never>) => unknown;

/** By method and path, as the official description writes them. */
export type Routes = Readonly<Record<string, Handler>>;
