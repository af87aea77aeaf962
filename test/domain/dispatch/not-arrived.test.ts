import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { Ledger } from "../../../src/domain/jobs/ledger.ts";
import { testCore } from "../../support/core.ts";
import { temporaryFolder, testPicture, testSandbox } from "../../support/sandbox.ts";
import { person } from "../../support/surface.ts";

const ann = person("ann");
const bob = person("bob");

it.each<[who: string, times: number, teller: typeof ann]>([
  ["its person", 2, ann],
  ["somebody else", 1, bob],
])(
  "a result that is told not to have arrived, while it is not on disk yet that it was posted, is posted anew: told of %s",
  async (_who, times, teller) => {
    await using sandbox = await testSandbox();
    await using core = await testCore(sandbox);
    const { surface, database } = core;
    const ledger = new Ledger(database, "looking");
    let posts = 0;
    const states: (string | undefined)[] = [];
    surface.beforePost = async (view) => {
      if (view.kind !== "result") return;
      posts += 1;
      if (posts > 1) return;
      states.push((await ledger.find(view.job.id))?.delivery);
      await surface.intake.notArrived(teller.user, view.job.id);
    };
    const image = join(temporaryFolder(), "photo.jpg");
    await writeFile(image, Buffer.from(await testPicture(), "base64"));
    await surface.intake.command(ann, "video", { image: { surface: "web", id: image }, prompt: "slow zoom" });
    const deliveries = async () =>
      (await database.kysely.selectFrom("jobs").select("delivery").execute()).map(({ delivery }) => delivery);
    await expect.poll(deliveries).toEqual(["delivered"]);
    expect(states).toEqual(["delivering"]);
    expect(posts).toBe(times);
  },
);
