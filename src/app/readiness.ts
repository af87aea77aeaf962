import { atMost } from "../common/time.ts";
import type { FileStore } from "../infrastructure/media/files/files.ts";
import type { Database } from "../infrastructure/storage/database.ts";
import type { Surface } from "../seam/surface/surface.ts";

/** One thing that Reelay stands on, by name and nothing else: everybody may ask. */
export interface Readiness {
  /** `storage`, `migrations`, `files`, `service` or a platform. */
  readonly name: string;
  readonly ok: boolean;
  /** Set for what Reelay goes on without: it does not make a node one to leave alone. */
  readonly optional?: true;
}

/** What is asked. */
interface ReadinessParts {
  readonly database: Pick<Database, "check" | "fits">;
  readonly files: Pick<FileStore, "check">;
  readonly platforms: () => readonly Pick<Surface, "name" | "ready">[];
  /** Since when the service answers nothing, as last seen: nothing is asked of it for this. */
  readonly silentSince: () => number | undefined;
  /** Milliseconds that never go back; by default this process's. */
  readonly now?: () => number;
}

/** How long an answer is good for, and how long is waited for one, in milliseconds. */
const GOOD_MS = 1_000;
const WAIT_MS = 2_000;

/** Looks at what Reelay stands on; however often it is asked, once a second at most. */
export function readinessOf({
  database,
  files,
  platforms,
  silentSince,
  now = () => performance.now(),
}: ReadinessParts): () => Promise<readonly Readiness[]> {
  const isThere = lately(now, () => database.check().then(yes, no));
  const fits = lately(now, () => database.fits().catch(no));
  const hasFiles = lately(now, () => files.check().then(yes, no));
  return async () => {
    const [storage, migrations, kept] = await Promise.all([isThere(), fits(), hasFiles()]);
    return [
      { name: "storage", ok: storage },
      { name: "migrations", ok: migrations },
      { name: "files", ok: kept },
      ...platforms().map((one) => ({ name: one.name, ok: one.ready() })),
      { name: "service", ok: silentSince() === undefined, optional: true },
    ];
  };
}

const yes = () => true;
const no = () => false;

/** Asks anew once the last answer is older than a second, and never twice at once; one that takes too long is a no. */
function lately(now: () => number, ask: () => Promise<boolean>): () => Promise<boolean> {
  let asked: { readonly at: number; readonly answer: Promise<boolean> } | undefined;
  let isAsking = false;
  return async () => {
    if (!asked || (!isAsking && now() - asked.at > GOOD_MS)) {
      isAsking = true;
      const answer = ask().finally(() => (isAsking = false));
      asked = { at: now(), answer };
    }
    const { answer } = asked;
    return (await atMost(WAIT_MS, answer)) && answer;
  };
}
