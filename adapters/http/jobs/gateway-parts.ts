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
  /** Aborted when Reelay begins to stop: whoever waits for a job is answered by what it is then. */
  readonly stopped: AbortSignal;
}
