import { createHmac, randomBytes } from "node:crypto";
import type { Origin } from "../../seam/origin.ts";
import { type Platform, platformOf, type Tags, type UserId } from "../../seam/values.ts";
import type { Database } from "../../infrastructure/storage/database.ts";
import { memory } from "../../infrastructure/storage/key-value.ts";

/** What the service is told of people: a name made of their id, or their own where the platform tells one. */
export const USERNAMES = ["pseudonym", "real"] as const;

/** One of {@link USERNAMES}. */
export type Usernames = (typeof USERNAMES)[number];

/**
 * Decides what a job counts for, once, when it is asked for. The service is told what the job says, so that its
 * statistics and ours never differ.
 */
export class Tagger {
  readonly #db: Database["kysely"];
  readonly #usernames: Usernames;
  readonly #salt: string;

  private constructor(database: Database, usernames: Usernames, salt: string) {
    this.#db = database.kysely;
    this.#usernames = usernames;
    this.#salt = salt;
  }

  /** Tags what an earlier version wrote, too. */
  static async open(database: Database, usernames: Usernames): Promise<Tagger> {
    const tagger = new Tagger(database, usernames, await saltOf(database));
    await tagger.tagOlder();
    return tagger;
  }

  /** The tags of what somebody asks for: those that came with it, else the platform and a name made of the user. */
  tagsOf({ platform, user, tags }: Pick<Origin, "platform" | "user" | "tags">): Tags {
    return { platform, inAppUsername: this.#nameOf(user), ...tags };
  }

  /** Tags jobs that have none: a process of an earlier version wrote them, perhaps a moment ago. */
  async tagOlder(): Promise<void> {
    const people = await this.#db
      .selectFrom("jobs")
      .select(["user", "surface"])
      .distinct()
      .where("in_app_username", "is", null)
      .execute();
    for (const { user, surface } of people) {
      const tags = this.tagsOf({ platform: surface as Platform, user: user as UserId });
      await this.#db
        .updateTable("jobs")
        .set({ platform: tags.platform, in_app_username: tags.inAppUsername })
        .where("user", "=", user)
        .where("surface", "=", surface)
        .where("in_app_username", "is", null)
        .execute();
    }
  }

  /** A stable pseudonym of the person, unless the operator asks for the real id. */
  #nameOf(user: UserId): string {
    if (this.#usernames === "real") return user.slice(platformOf(user).length + 1);
    return createHmac("sha256", this.#salt).update(user).digest("hex").slice(0, 16);
  }
}

/** Made once for a database: pseudonyms stay the same over restarts and say nothing to other installations. */
const saltOf = (database: Database): Promise<string> =>
  memory(database, "installation").once("salt", () => randomBytes(32).toString("hex"));
