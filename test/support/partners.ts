import type { Events } from "../../src/chat/events.ts";
import type { SurfaceHost } from "../../src/chat/host.ts";
import type { Webhooks } from "../../src/chat/webhooks.ts";
import type { HeldFiles } from "../../src/media/held-files.ts";
import type { Signer } from "../../src/media/signed.ts";

/** The host of adapters that have nothing to do with partners. */
export const noPartners = {
  partners: { authenticate: async () => undefined },
  events: {} as Events,
  webhooks: {} as Webhooks,
  held: {} as HeldFiles,
  signer: {} as Signer,
} satisfies Partial<SurfaceHost>;
