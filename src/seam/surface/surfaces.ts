import type { Readable } from "node:stream";
import { ReelayError } from "../../common/errors.ts";
import { checkUserUrl, fetchUserUrl } from "../../infrastructure/media/files/fetch.ts";
import { hashed } from "../../infrastructure/media/files/hashed.ts";
import type { Surface } from "./surface.ts";
import type { MediaRef, Platform } from "../values.ts";

/** A picture larger than any camera's, over a slow line. */
const URL_CAPS = { maxBytes: 64 * 1024 * 1024, timeoutMs: 60_000 } as const;

/** The platforms that this process is connected to. */
export class Surfaces {
  readonly #byName: ReadonlyMap<Platform, Surface>;
  readonly #privateHosts: readonly string[];

  /** @param privateHosts hosts of the operator's own network that pictures may be fetched from */
  constructor(surfaces: readonly Surface[], privateHosts: readonly string[]) {
    this.#privateHosts = privateHosts;
    this.#byName = new Map(surfaces.map((surface) => [surface.name, surface]));
  }

  get names(): readonly Platform[] {
    return [...this.#byName.keys()];
  }

  get all(): readonly Surface[] {
    return [...this.#byName.values()];
  }

  /** @throws ReelayError `undeliverable` when this process is not connected to that platform */
  of(name: Platform): Surface {
    const surface = this.#byName.get(name);
    if (!surface) throw new ReelayError("undeliverable");
    return surface;
  }

  /** Whether how a job ended is told there in the database; see `Surface.tellsIn`. */
  tellsInDatabase(name: Platform): boolean {
    return this.#byName.get(name)?.tellsIn === "database";
  }

  /**
   * Looks where the address of a file leads, before anything is fetched from there.
   * @throws ReelayError `url_refused`, `url_with_password`
   */
  checkAddress({ id }: MediaRef): Promise<void> {
    return checkUserUrl(id, { privateHosts: this.#privateHosts });
  }

  /** SHA-256 in hex of a file that somebody gave, where that can be told without reading it. */
  digestIn(ref: MediaRef): string | undefined {
    return isAddress(ref) ? ref.digest : this.of(ref.surface).digestIn(ref);
  }

  /**
   * Opens a picture that a person gave, on any platform also as an address.
   * @throws ReelayError as `Surface.openMedia` and `fetchUserUrl`; `media_changed` where it must be a certain file and is not
   */
  async openMedia(ref: MediaRef): Promise<Readable> {
    if (!isAddress(ref)) return this.of(ref.surface).openMedia(ref);
    const { id, digest } = ref;
    const { stream } = await fetchUserUrl(id, { ...URL_CAPS, privateHosts: this.#privateHosts });
    if (digest === undefined) return stream;
    return hashed(stream, (found) => {
      if (found !== digest) throw new ReelayError("media_changed");
    });
  }
}

/** Whether a file was given by an http(s) address. */
export function isAddress({ id }: MediaRef): boolean {
  return URL.canParse(id) && /^https?:/i.test(id);
}
