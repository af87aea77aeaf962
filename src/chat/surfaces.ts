import type { Readable } from "node:stream";
import { ReelayError } from "../errors.ts";
import type { Surface } from "./surface.ts";
import type { MediaRef, Platform } from "./values.ts";

/** The platforms that this process is connected to. */
export class Surfaces {
  readonly #byName: ReadonlyMap<Platform, Surface>;

  constructor(surfaces: readonly Surface[]) {
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

  /** Opens a picture that a person gave. Errors as `Surface.openMedia`. */
  openMedia(ref: MediaRef): Promise<Readable> {
    return this.of(ref.surface).openMedia(ref);
  }
}
