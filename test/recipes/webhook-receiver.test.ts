import { copyFile, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, it } from "vitest";
import { newSecret, signedHeaders } from "../../src/domain/webhooks/signature.ts";
import { openGateway } from "../support/gateway.ts";
import { temporaryFolder, testPicture, testSandbox } from "../support/sandbox.ts";
import { play, recipe, start } from "./recipe.ts";

const NAME = "webhook-receiver.mjs";
const VERIFY = "webhook-verify.mjs";

/** The recipe as its own comment says to change it, in a folder where there are no packages. */
async function withoutPackage(): Promise<string> {
  const folder = temporaryFolder();
  const source = await readFile(recipe(NAME), "utf8");
  const changed = source.replace('from "standardwebhooks"', `from "./${VERIFY}"`);
  await writeFile(join(folder, NAME), changed);
  await copyFile(recipe(VERIFY), join(folder, VERIFY));
  return join(folder, NAME);
}

async function startReceiver(path: string, secret: string) {
  const folder = temporaryFolder();
  const environment = { REELAY_WEBHOOK_SECRET: secret, PORT: "0", HOST: "127.0.0.1" };
  const child = start(process.execPath, [path, folder], environment);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<string> => (await lines.next()).value ?? "";
  const port = /\d+$/.exec(await next())?.[0];
  return {
    url: `http://127.0.0.1:${port}/`,
    folder,
    /** What it says next. */
    next,
    [Symbol.dispose]: () => void child.kill(),
  };
}

/** The headers of an empty message. */
const signed = (secrets: readonly string[], at = Date.now()) => signedHeaders("msg_1", "{}", secrets, at);

describe.each([
  { way: "with the package", path: async () => recipe(NAME) },
  { way: "without it", path: withoutPackage },
])("the receiver of webhooks, $way", ({ path }) => {
  it("saves the video of a job that tells it", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join();
    const rotated = await acme.call("/callback-secret/rotate", { method: "POST" });
    const { secret } = (await rotated.json()) as { secret: string };
    using receiver = await startReceiver(await path(), secret);
    const { id } = await acme.accepted({
      operation: "video",
      input: { image: await testPicture(), prompt: "slow zoom" },
      webhook: receiver.url,
    });
    expect(await receiver.next()).toBe("Verified: job.completed");
    expect(await receiver.next()).toContain("Saved: ");
    const { media } = await acme.ended(id);
    expect(await readdir(receiver.folder)).toEqual(media.map(({ name }) => name));
    play(join(receiver.folder, media[0]?.name ?? ""));
  });

  it("says that a test event was verified, as the guide has it sent", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join();
    const call = async <T>(path: string, method: string, body: object) => {
      const headers = { "content-type": "application/json" };
      const answer = await acme.call(path, { method, headers, body: JSON.stringify(body) });
      return (await answer.json()) as T;
    };
    const url = "http://127.0.0.1:3000/";
    const { id, secret } = await call<{ id: string; secret: string }>("/webhooks", "POST", { url });
    using receiver = await startReceiver(await path(), secret);
    await call(`/webhooks/${id}`, "PATCH", { url: receiver.url });
    expect((await acme.call(`/webhooks/${id}/ping`, { method: "POST" })).status).toBe(202);
    expect(await receiver.next()).toBe("Verified: ping");
  });

  it("takes what was signed with its secret just now, and nothing else", async () => {
    const [secret, other] = [newSecret(), newSecret()];
    using receiver = await startReceiver(await path(), secret);
    const answers = [
      signed([secret]),
      signed([other, secret]),
      signed([other]),
      signed([secret], Date.now() - 600_000),
      signed([secret], Date.now() + 600_000),
      { ...signed([secret]), "webhook-id": "msg_2" },
      { ...signed([secret]), "webhook-signature": "v1,short" },
      {},
    ].map(async (headers) => (await fetch(receiver.url, { method: "POST", headers, body: "{}" })).status);
    expect(await Promise.all(answers)).toEqual([204, 204, 401, 401, 401, 401, 401, 401]);
  });
});
