import type { Hono } from "hono";
import type { Logger } from "../../infrastructure/telemetry/telemetry.ts";
import type { SurfaceConfig } from "../config.ts";
import type { MediaFiles } from "../../infrastructure/media/files/files.ts";
import type { HeldFiles } from "../../infrastructure/media/files/held-files.ts";
import type { Links } from "../../infrastructure/media/files/links.ts";
import type { Signer } from "../../infrastructure/media/files/signed.ts";
import type { Events } from "../events.ts";
import type { BudgetState } from "../access/budgets.ts";
import type { ConsoleDesk } from "../access/console.ts";
import type { KeyCard, KeyDesk } from "../access/key-pool.ts";
import type { MoneySums } from "../access/money.ts";
import type { Operators } from "../access/operators.ts";
import type { PartnerAdmin, Partners, TokenMode } from "../access/partners.ts";
import type { SafetyAdmin } from "../access/safety.ts";
import type { Bell } from "../../common/bell.ts";
import type { Role } from "../../common/role.ts";
import type { Memory, SharedMemory } from "../../common/memory.ts";
import type { Platform, UserId } from "../values.ts";
import type { Webhooks } from "../access/webhooks.ts";
import type { RulesAdmin } from "./rules.ts";
import type { Setup } from "./setup.ts";

/** What the composition root hands to an adapter when it makes its surface. */
export interface SurfaceHost {
  readonly config: SurfaceConfig;
  readonly log: Logger;
  /**
   * The adapter's own state, apart from every other's; survives restarts.
   * @param owner whose it is, where each person's is to be apart from every other person's
   */
  memory(surface: Platform, owner?: UserId): SharedMemory;
  /** The same, encrypted: for what may hold a key, such as messages that were not looked at yet. */
  sealed(surface: Platform): Memory;
  /** What logs whoever runs Reelay in, where they may come to any of several machines; left out, it is in the data folder. */
  readonly loginToken?: () => Promise<string>;
  /** Has a secret that the adapter made known as this installation's, wherever somebody writes it. */
  hold(secret: string): void;
  /** What one process at a time does, of those that share a database on a server; of others, each does it. */
  role(name: string): Role;
  /** Wakes the same adapter in other processes. */
  readonly bell: Bell;
  /** Files that people gave or that are kept for them. */
  readonly files: MediaFiles;
  /** A folder of this process alone, for files that are needed for a moment. */
  readonly scratch: string;
  /** Links to files for people whose platform does not take them; usable where `config.publicUrl` is set. */
  readonly links: Links;
  /** The one HTTP server: an adapter mounts its routes here before it listens. */
  readonly routes: Hono;
  /** Aborted when it begins to stop, before the surfaces do: whoever only waits for something is to be answered now. */
  readonly leaving: AbortSignal;
  /** What those who run Reelay see and do, once the core has started; left out where there is no page for them. */
  readonly console?: () => Promise<ConsoleDesk>;
  /** Whether the service is the built-in sandbox. */
  readonly sandbox: boolean;
  /** Left out where nothing is set up while it runs. */
  readonly setup?: Setup;
  /** What may be changed while it runs; left out where nothing may. */
  readonly rules?: () => Promise<RulesAdmin>;
}

/** Answers a request in the place of whoever it came to. @param env what the server knows of it */
type Answering = (request: Request, env: object) => Promise<Response>;

/** Where test tokens lead: everything that partners' programs can call, once more, over a sandbox and a database of its own. */
export interface TestMode {
  /**
   * Who answers a request with this token: opened, where that is not yet. Undefined for a token that nobody has.
   * @throws ReelayError `test_mode_missing`
   */
  answering(token: string): Promise<Answering | undefined>;
  /** Who answers requests that come without a token, about what was made there; undefined where nothing was. */
  opened(): Promise<Answering | undefined>;
}

/** What only the adapter for partners' programs works with. */
export interface PartnerHost {
  /** Which tokens let in here. */
  readonly mode: TokenMode;
  readonly partners: Partners;
  /** Where those for trying out lead; left out where it is known of no such place, and there. */
  readonly tests?: TestMode;
  /** What happens to partners' jobs, for those who listen. */
  readonly events: Events;
  readonly webhooks: Webhooks;
  /** Files of partners, apart from those; each has an owner who needs it. */
  readonly held: HeldFiles;
  /** For addresses that only this installation can make. */
  readonly signer: Signer;
}

/** What only the page works with: each desk does what is done there in somebody's name, and writes it down with that. */
export interface OperatorHost {
  readonly operators: Operators;
  partners(by: UserId): Promise<PartnerAdmin>;
  safety(by: UserId): Promise<SafetyAdmin>;
  webhooks(by: UserId): Webhooks;
  keys(by: UserId): Promise<KeyDesk>;
  /** The keys that pay for those who have connected none, in the order of {@link KeyDesk.list}. */
  keyCards(): Promise<readonly KeyCard[]>;
  /** What partners' jobs came to, by their ids. @param since the first day that counts, as YYYY-MM-DD (UTC) */
  partnerSums(since: string): Promise<ReadonlyMap<string, MoneySums>>;
  /** How far a partner's budgets have been spent. @param partner their id */
  budgetsOf(partner: string): Promise<readonly BudgetState[]>;
}
