import type { PartnerHost, SurfaceHost } from "../../../src/seam/surface/host.ts";
import type { Intake } from "../../../src/seam/surface/surface.ts";
import type { ResultLinks } from "./result-links.ts";

/** What the gateway works with. */
export interface GatewayParts {
  readonly host: SurfaceHost;
  readonly forPartners: PartnerHost;
  readonly links: ResultLinks;
  /** The core, once the surface was started. */
  readonly intake: () => Intake;
  /** Aborted when the surface stops: open event streams end. */
  readonly stopped: AbortSignal;
}
