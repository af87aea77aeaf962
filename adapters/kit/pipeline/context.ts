import type { Readable } from "node:stream";
import type { SurfaceHost } from "../../../src/seam/surface/host.ts";
import type { Intake } from "../../../src/seam/surface/surface.ts";
import type { Origin } from "../../../src/seam/origin.ts";
import type { Memory } from "../../../src/common/memory.ts";
import type { Address, MediaRef } from "../../../src/seam/values.ts";
import { type Locale, type Translate, translator } from "../../../src/common/i18n.ts";

/** What every part of a chat platform works with. */
export interface ChatServices {
  readonly host: SurfaceHost;
  /** The adapter's own state; survives restarts. */
  readonly memory: Memory;
  readonly intake: Intake;
  /** Opens a file that a person sent, or that was made for them. @throws ReelayError `media_gone`, `media_too_large` */
  openMedia(ref: MediaRef): Promise<Readable>;
}

/** Somebody in a chat, with everything needed to talk to them. An update is not always at hand. */
export interface ChatContext extends ChatServices {
  readonly origin: Origin;
  readonly say: Translate;
}

/** The context of somebody, in the language that is spoken there. */
export function contextOf<Services extends ChatServices, From extends Origin>(
  services: Services,
  origin: From,
  locale: Locale,
): Services & { readonly origin: From; readonly say: Translate } {
  return { ...services, origin, say: translator(locale) };
}

/** The same, where something else is answered. */
export function answering<C extends ChatContext>(context: C, address: Address): C {
  const { origin } = context;
  return { ...context, origin: { ...origin, address: { ...origin.address, ...address } } };
}
