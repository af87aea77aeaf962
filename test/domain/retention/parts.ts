import { Surfaces } from "../../../src/seam/surface/surfaces.ts";
import type { SweeperParts } from "../../../src/domain/retention/sweeper.ts";
import { Traces } from "../../../src/domain/retention/traces.ts";
import type { Database } from "../../../src/infrastructure/storage/database.ts";
import { makeLogger } from "../../../src/infrastructure/telemetry/telemetry.ts";

/** A sweeper's parts over a database alone, with every setting at its default. */
export const partsOver = (database: Database): SweeperParts => ({
  database,
  surfaces: new Surfaces([], []),
  links: { sweep: async () => {} },
  takeBacks: { retry: async () => {} },
  reports: { expire: async () => {} },
  inputs: { sweep: async () => {} },
  countEarlier: async () => {},
  traces: new Traces(database),
  keepDays: { jobs: 90, audit: 365, usage: 730 },
  log: makeLogger({ level: "silent" }),
});
