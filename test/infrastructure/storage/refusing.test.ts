import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { openDatabase } from "../../../src/infrastructure/storage/database.ts";
import { between } from "../../support/between.ts";
import { testCore } from "../../support/core.ts";
import { openGateway } from "../../support/gateway.ts";
import { temporaryFolder, testPicture, testSandbox } from "../../support/sandbox.ts";
import { person } from "../../support/surface.ts";

it("is said to a person whose job could not be kept, and nothing is sent", async () => {
  await using sandbox = await testSandbox();
  await using core = await testCore(sandbox);
  const path = join(temporaryFolder(), "photo.jpg");
  await writeFile(path, Buffer.from(await testPicture(), "base64"));
  await rm(core.config.store);
  const image = { surface: "web" as const, id: path };
  expect(await core.surface.intake.command(person("ann"), "video", { image, prompt: "slow zoom" })).toBe(
    false,
  );
  expect(core.surface.showing("problem")).toMatchObject([{ problem: { code: "storage_down" }, charged: 0 }]);
  expect((await sandbox.ledger()).submissions).toEqual([]);
});

it("is a 503 to a partner, and nothing is sent", async () => {
  await using sandbox = await testSandbox();
  await using gateway = await openGateway(sandbox, { fetch });
  const acme = await gateway.join("Acme Inc.");
  await rm(join(gateway.data, "reelay.db"));
  const input = { image: await testPicture(), prompt: "slow zoom" };
  const answer = await acme.submit({ operation: "video", input });
  expect(answer.status).toBe(503);
  expect(await answer.json()).toMatchObject({ code: "storage_down" });
  expect((await sandbox.ledger()).submissions).toEqual([]);
});

it("a partner is told of no result before its file is whole", async () => {
  await using sandbox = await testSandbox();
  await using service = await between(sandbox);
  let pages = 1;
  service.answer = ({ path }) =>
    path.startsWith("/results/") && pages-- > 0
      ? { headers: { "content-type": "video/mp4" }, body: "<html>Log in</html>" }
      : undefined;
  await using gateway = await openGateway(service);
  const acme = await gateway.join("Acme Inc.");
  const job = await acme.accepted({
    operation: "video",
    input: { image: await testPicture(), prompt: "zoom" },
  });
  const ended = await acme.ended(job.id);
  expect(ended).toMatchObject({ status: "completed", media: [{ type: "video/mp4" }] });
  const file = Buffer.from(await (await acme.call(`/jobs/${job.id}/media`)).arrayBuffer());
  expect(file.toString("latin1", 4, 8)).toBe("ftyp");
  expect(await gateway.storedFiles()).toBe(1);
});

it("a transaction that the disk has no room for says that, and not that it cannot be taken back", async () => {
  const database = await openDatabase(join(temporaryFolder(), "reelay.db"));
  const { kysely } = database;
  await sql`pragma max_page_count = 200`.execute(kysely);
  const filling = kysely.transaction().execute(async (within) => {
    for (let key = 0; key < 2_000; key++)
      await within
        .insertInto("kv")
        .values({ namespace: "filling", key: String(key), value: "x".repeat(4_000), expires_at: null })
        .execute();
  });
  await expect(filling).rejects.toMatchObject({
    code: "storage_down",
    params: { reason: "the disk is full" },
  });
  expect(await kysely.selectFrom("kv").select("key").execute()).toEqual([]);
  await sql`pragma max_page_count = 100000`.execute(kysely);
  await kysely.insertInto("kv").values({ namespace: "a", key: "b", value: "c", expires_at: null }).execute();
  await database.close();
});
