import { ConfigError } from "../../../common/config-error.ts";
import type { Database } from "../database.ts";
import type { MoveMark } from "./side.ts";

/** What a database says of who is in charge; undefined where nothing was ever moved. */
export async function markOf({ kysely }: Pick<Database, "kysely">): Promise<MoveMark | undefined> {
  return kysely.selectFrom("moved").select(["state", "move", "place"]).executeTakeFirst();
}

/**
 * Refuses to work on a database that is not in charge.
 * @param here where it is, as it may be shown
 * @throws ConfigError
 */
export function refuseMoved(here: string, mark: MoveMark | undefined): void {
  if (!mark || mark.state === "here") return;
  throw new ConfigError([
    mark.state === "moved"
      ? {
          setting: "REELAY_STORE",
          found: `${here}, from which everything was moved to ${mark.place}`,
          wanted: "that database, where everything is now",
        }
      : {
          setting: "REELAY_STORE",
          found: `${here}, to which a move from ${mark.place} was cut off`,
          wanted:
            "`reelay move` to be run once more as before, which finishes it; until then everything is there",
        },
  ]);
}
