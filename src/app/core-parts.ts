import type { Config } from "./config.ts";
import type { Database } from "../infrastructure/storage/database.ts";
import type { FileStore } from "../infrastructure/media/files/files.ts";
import type { Hosts } from "../common/contract.ts";
import type { Links } from "../infrastructure/media/files/links.ts";
import type { Memory } from "../common/memory.ts";
import type { Logger } from "../infrastructure/telemetry/telemetry.ts";
import type { Scratch } from "../infrastructure/storage/scratch.ts";
import type { SharedKey } from "./service.ts";
import type { Surface } from "../seam/surface/surface.ts";
import type { Transport } from "../infrastructure/api/media-api.ts";
import type { Vault } from "../infrastructure/vault/vault.ts";

/** What a core is made of. */
export interface CoreParts {
  readonly config: Config;
  readonly log: Logger;
  readonly database: Database;
  readonly files: FileStore;
  readonly vault: Vault;
  readonly transport: Transport;
  readonly hosts: Hosts;
  /** The key of those who have connected none. */
  readonly shared: SharedKey | undefined;
  /** See `OpenService`. */
  readonly leftKeyId?: string | undefined;
  readonly surfaces: readonly Surface[];
  /** Links to files, which are erased when those have expired; without them nothing is swept at all. */
  readonly links?: Pick<Links, "sweep">;
  /** Whom the operator keeps out, where this is for test tokens: they are blocked once, for both. */
  readonly liveBlocks?: Memory;
  readonly scratch: Scratch;
  /** Called when this process takes over what a process that is gone left at the service, and jobs wait for it. */
  readonly onLeft?: (() => void) | undefined;
  /** How long a quote waits for past prices just after the start, in milliseconds. Default: 2.5 s. */
  readonly experienceMs?: number;
}
