import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { answer, serve } from "../infrastructure/api/server.ts";
import { lossyLine } from "../recipes/lossy-line.ts";
import { play } from "../recipes/recipe.ts";
import { openGateway, type TestGateway } from "../support/gateway.ts";
import { filled, hostFor } from "../support/n8n-node/host.ts";
import { slept } from "../support/n8n-node/module.ts";
import { type Item, loadPackage } from "../support/n8n-node/package.ts";
import { temporaryFolder, testPicture, testSandbox } from "../support/sandbox.ts";

let loaded: Awaited<ReturnType<typeof loadPackage>>;
beforeAll(async () => {
  loaded = await loadPackage();
});

/** Runs the node; what it was told is left at its default where nothing is said. */
function nodeAt({ url }: Pick<TestGateway, "url">, accessToken: string) {
  const { node } = loaded;
  const host = (run: Parameters<typeof hostFor>[3]) =>
    hostFor(loaded, node.description.properties, { baseUrl: `${url}/`, accessToken }, run);
  return {
    host,
    run: async (parameters: object, run: Parameters<typeof hostFor>[3] = {}) => {
      const ran = host({ ...run, parameters: { ...parameters } });
      const [items = []] = await node.execute.call(ran);
      return items;
    },
  };
}

const created = (make: string, value: object, more: object = {}) => ({
  operation: "create",
  make,
  input: { mappingMode: "defineBelow", value },
  ...more,
});

/** Refused for so many seconds. */
const later = (seconds: number) =>
  answer(429, JSON.stringify({ detail: "Later.", code: "rate_limited", retryable: true }), {
    "retry-after": String(seconds),
  });

const photo = async (): Promise<Item> => ({
  json: { order: 7 },
  binary: {
    data: {
      bytes: Buffer.from(await testPicture(), "base64"),
      fileName: "photo.jpg",
      mimeType: "image/jpeg",
    },
  },
});

describe("n8n's node", () => {
  it("has the pictures that it is shown by, and a credential that says who it is", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const { token } = await gateway.join();
    const pictures = Object.values(loaded.node.description.icon).map((icon) => icon.replace("file:", ""));
    expect(pictures.map((path) => existsSync(join(loaded.folder, "dist/nodes/Reelay", path)))).toEqual([
      true,
      true,
    ]);
    const { test, authenticate } = loaded.credential;
    const credentials = { baseUrl: gateway.url, accessToken: token };
    const headers = {
      authorization: filled(authenticate.properties.headers["Authorization"] ?? "", credentials),
    };
    const answer = await fetch(filled(test.request.baseURL, credentials) + test.request.url, { headers });
    expect(await answer.json()).toMatchObject({ object: "partner", id: "acme" });
  });

  it("lists what can be made, and the fields of each", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const { token } = await gateway.join();
    const { host } = nodeAt(gateway, token);
    const { loadOptions, resourceMapping } = loaded.node.methods;
    const choices = await loadOptions.getOperations.call(host({}));
    expect(choices).toContainEqual(expect.objectContaining({ value: "video", name: "Photo to video" }));
    for (const { value } of choices) {
      const { fields } = await resourceMapping.getFields.call(host({ parameters: { make: value } }));
      expect(fields.length, value).toBeGreaterThan(0);
    }
    const { fields } = await resourceMapping.getFields.call(host({ parameters: { make: "video" } }));
    const [image] = fields;
    expect(image).toMatchObject({ id: "image", required: true, type: "string" });
    expect(image?.displayName).toContain("binary field");
    expect(fields).toContainEqual(
      expect.objectContaining({ id: "duration", type: "number", required: false }),
    );
    const shape = fields.find(({ id }) => id === "orientation");
    expect(shape?.options?.map(({ value }) => value)).toEqual(["portrait", "landscape", "square"]);
    // Before anything is chosen.
    expect(await resourceMapping.getFields.call(host({}))).toEqual({ fields: [] });
  });

  it("makes a video of an item's photo once, over a line that breaks and however often it is tried, and lists and deletes it", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    await using line = await lossyLine(gateway.url);
    const { token } = await gateway.join();
    const { run } = nodeAt(line, token);
    const options = { in_app_username: "jo", metadata: '{"order":"A-1"}', agreed: ["terms", "consent"] };
    const wanted = created(
      "video",
      { image: "data", prompt: "slow zoom", duration: 5, seed: null },
      { options },
    );
    const items = [await photo()];
    const [made, ...others] = await run(wanted, { items });
    expect(others).toEqual([]);
    expect(made).toMatchObject({
      json: {
        status: "completed",
        in_app_username: "jo",
        metadata: { order: "A-1" },
        input: { duration: 5, image: { name: "photo.jpg" } },
      },
      binary: { data: { mimeType: "video/mp4" } },
      pairedItem: { item: 0 },
    });
    const path = join(temporaryFolder(), "video.mp4");
    await writeFile(path, made?.binary?.["data"]?.bytes ?? "");
    play(path);

    // n8n tries the same item in the same run again.
    const id = String(made?.json["id"]);
    expect(await run(wanted, { items })).toMatchObject([{ json: { id } }]);
    expect((await sandbox.ledger()).submissions).toHaveLength(1);
    // Another run of the node, as in a loop, and another execution are others.
    const ids = [
      await run({ ...wanted, wait: false }, { items, run: 1 }),
      await run({ ...wanted, wait: false }, { items, execution: "2" }),
    ].map(([item]) => item?.json["id"]);
    expect(new Set([id, ...ids]).size).toBe(3);
    // Unless they are said to be the same.
    const named = { ...wanted, wait: false, options: { ...options, idempotencyKey: "order-1" } };
    const [first, second] = [await run(named, { items }), await run(named, { items, execution: "3" })];
    expect(first[0]?.json["id"]).toBe(second[0]?.json["id"]);

    expect(await run({ operation: "get", jobId: id })).toMatchObject([{ json: { id, status: "completed" } }]);
    const file = await run({ operation: "download", jobId: id, binaryField: "film" });
    expect(file[0]?.binary?.["film"]?.bytes).toEqual(made?.binary?.["data"]?.bytes);
    const listed = await run({
      operation: "getAll",
      limit: 3,
      filters: { in_app_username: "jo", status: "" },
    });
    expect(listed).toHaveLength(3);
    const all = await run({ operation: "getAll", returnAll: true });
    expect(all.map(({ json }) => json["id"])).toEqual(expect.arrayContaining([id, ...ids]));
    await expect(run({ operation: "cancel", jobId: id })).rejects.toThrow("ended already");
    expect(await run({ operation: "delete", jobId: id })).toMatchObject([
      { json: { id, outcome: "deleted" } },
    ]);
    await expect(run({ operation: "get", jobId: id })).rejects.toMatchObject({ httpCode: "404" });
    const [again] = await run(wanted, { items, execution: "4" });
    expect(await run({ operation: "delete", jobId: again?.json["id"], here: true })).toMatchObject([
      { json: { outcome: "kept" } },
    ]);
  });

  it("sends several pictures of one item, by the names of its own fields", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const { token } = await gateway.join();
    const { run } = nodeAt(gateway, token);
    const { json, binary } = await photo();
    const file = binary?.["data"];
    if (!file) throw new Error("There is no photo.");
    const given = { prompt: "both", images: "one, two", what: "else" };
    const items = [{ json: { ...json, ...given }, binary: { one: file, two: file } }];
    const input = { mappingMode: "autoMapInputData", value: null };
    const asked = await run({ operation: "create", make: "h3-reference", wait: false, input }, { items });
    const bytes = file.bytes.length;
    expect(asked).toMatchObject([{ json: { input: { prompt: "both", images: [{ bytes }, { bytes }] } } }]);
  });

  it("says why something was refused or came to nothing, and goes on with the next item where it should", async () => {
    await using sandbox = await testSandbox({ failRate: 1 });
    await using gateway = await openGateway(sandbox);
    const { token } = await gateway.join();
    const { run } = nodeAt(gateway, token);
    const wrong = created("video", { image: "data", duration: 99 });
    const items = [await photo()];
    await expect(run(wrong, { items })).rejects.toMatchObject({
      name: "NodeApiError",
      httpCode: "422",
      description: expect.stringMatching(/input\.duration: .*\nCode: /s),
      context: { itemIndex: 0 },
    });
    await expect(run(created("video", { image: "film" }), { items })).rejects.toThrow(
      "no binary field 'film'",
    );
    await expect(run(created("image", { prompt: "a cat" }))).rejects.toThrow(
      "The service could not make this",
    );
    await expect(nodeAt(gateway, "none").run({ operation: "getAll" })).rejects.toMatchObject({
      httpCode: "401",
    });
    const both = await run(created("video", { image: "data", prompt: "zoom" }, { wait: false }), {
      items: [{ json: {} }, ...items],
      continues: true,
    });
    expect(both).toMatchObject([
      { json: { error: expect.stringContaining("no binary field") }, pairedItem: { item: 0 } },
      { json: { object: "job" }, pairedItem: { item: 1 } },
    ]);
  });

  it("cancels what still waits", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox, { settings: { REELAY_RATE_WINDOW_MS: "60000" } });
    const acme = await gateway.join();
    // The newest goes last, after more than the service takes at once.
    const cat = { operation: "image", input: { prompt: "a cat" } };
    const asked = await Promise.all(Array.from({ length: 35 }, () => acme.accepted(cat)));
    const [jobId] = asked
      .map(({ id }) => id)
      .toSorted()
      .slice(-1);
    const cancelled = await nodeAt(gateway, acme.token).run({ operation: "cancel", jobId });
    expect(cancelled).toMatchObject([{ json: { id: jobId, outcome: "cancelled" } }]);
  });

  it("waits as long as it may, and says which job goes on", async () => {
    await using sandbox = await testSandbox({ timeScale: 1 });
    await using gateway = await openGateway(sandbox, { timeScale: 1 });
    const { token } = await gateway.join();
    const { run } = nodeAt(gateway, token);
    const [error] = await run(created("image", { prompt: "a cat" }, { timeout: 1 }), { continues: true });
    const said = /^The job (\w+) is still being made$/.exec(String(error?.json["error"]));
    expect(await run({ operation: "get", jobId: said?.[1] })).toMatchObject([
      { json: { operation: "image" } },
    ]);
  });

  it("asks again when Reelay says, not after a day, and no more once the execution is stopped", async () => {
    const job = { id: "j1", status: "running", error: null, media: [] };
    const page = JSON.stringify({ object: "list", data: [job], next_cursor: null });
    await using patient = await serve(later(3), later(5), answer(200, page));
    slept.length = 0;
    expect(await nodeAt({ url: patient.origin }, "t").run({ operation: "getAll" })).toHaveLength(1);
    expect(slept).toEqual([3_000, 5_000]);
    await using closed = await serve(later(3_600));
    await expect(nodeAt({ url: closed.origin }, "t").run({ operation: "getAll" })).rejects.toThrow("Later.");

    const operation = { id: "image", input_schema: { properties: { prompt: {} }, required: [] } };
    await using busy = await serve(answer(200, JSON.stringify(operation)), answer(200, JSON.stringify(job)));
    slept.length = 0;
    const run = nodeAt({ url: busy.origin }, "t").run(created("image", { prompt: "a cat" }), {
      signal: AbortSignal.abort(),
    });
    await expect(run).rejects.toThrow("The job j1 is still being made");
    expect(slept).toEqual([]);
  });
});
