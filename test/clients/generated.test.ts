import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { run } from "../recipes/recipe.ts";
import { openGateway } from "../support/gateway.ts";
import { temporaryFolder, testPicture, testSandbox } from "../support/sandbox.ts";

const GENERATOR = fileURLToPath(new URL("bin/cli.js", import.meta.resolve("@redocly/cli/package.json")));
const TSC = fileURLToPath(new URL("../../node_modules/.bin/tsc", import.meta.url));
const NODE_TYPES = fileURLToPath(new URL("../../node_modules/@types", import.meta.url));

const folder = temporaryFolder();

/** A program that asks for a job, as somebody writes it who has the generated client alone. */
const asking = (body: string) => `import { createJob } from "./client.ts";
const [image, prompt] = ["https://example.com/photo.jpg", "slow zoom"];
await createJob({ headers: { "Idempotency-Key": "order-1" }, body: ${body} });
`;

const RIGHT = ["video", "{ image, prompt, duration: 5 }"] as const;
const jobOf = ([operation, input]: readonly [string, string], more = "") =>
  `{ operation: "${operation}", input: ${input}${more} }`;

/** What the compiler says of each program, by the name of its file: nothing of one that is right. */
async function saidOf(programs: Readonly<Record<string, string>>): Promise<ReadonlyMap<string, string>> {
  for (const [name, program] of Object.entries(programs)) await writeFile(join(folder, name), program);
  const options = "--noEmit --strict --target es2024 --module nodenext --allowImportingTsExtensions".split(
    " ",
  );
  const types = ["--types", "node", "--typeRoots", NODE_TYPES];
  const compiled = promisify(execFile)(TSC, [...options, ...types, ...Object.keys(programs)], {
    cwd: folder,
  });
  const said = await compiled.catch((error: unknown) => error as { readonly stdout: string });
  // What belongs to an error is indented below it.
  const errors = said.stdout.split(/\n(?=\S)/).filter((text) => text !== "");
  const byFile = Map.groupBy(errors, (text) => text.split("(", 1).join(""));
  return new Map([...byFile].map(([name, texts]) => [name, texts.join("\n")]));
}

/** What Redocly's generator makes of the document that a gateway serves. */
async function generate(url: string): Promise<void> {
  const document = join(folder, "openapi.json");
  await writeFile(document, await (await fetch(`${url}/v1/openapi.json`)).text());
  const args = [
    GENERATOR,
    "generate-client",
    document,
    "-o",
    join(folder, "client.ts"),
    "--import-ext",
    "ts",
  ];
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  await promisify(execFile)(process.execPath, args, { env });
  await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module" }));
}

const RIGHT_ONES: Readonly<Record<string, string>> = {
  "an operation with what it takes": jobOf(RIGHT),
  "what may be beside it": jobOf(RIGHT, `, webhook: "https://example.com/hook", metadata: { order: "A-1" }`),
  "another one with what that takes": jobOf(["faceswap", "{ target: image, source: image }"]),
};

/** With what the compiler has to name. */
const WRONG_ONES: Readonly<Record<string, readonly [body: string, named: string]>> = {
  "an operation that there is not": [jobOf(["nope", "{ durationn: 5 }"]), '"nope"'],
  "a wrong field beside a right operation": [
    jobOf(["video", "{ image, prompt, durationn: 5 }"]),
    "'durationn'",
  ],
  "the wrong field alone": [jobOf(["video", "{ durationn: 5 }"]), "'durationn'"],
  "another operation's field": [jobOf(["faceswap", "{ target: image, source: image, prompt }"]), "'prompt'"],
  "a value of another type": [jobOf(["video", `{ image, prompt, duration: "5" }`]), "'number'"],
  "a choice that there is not": [jobOf(["video", `{ image, prompt, orientation: "up" }`]), '"up"'],
  "an operation without what it needs": [jobOf(["video", "{ prompt }"]), "'image'"],
  "a wrong field beside the operation": [jobOf(RIGHT, `, wehbook: "https://example.com"`), "'wehbook'"],
};

const CONVERSATION = `import { ApiError, client } from "./client.ts";
const [url = "", token = "", image = ""] = process.argv.slice(2);
client.configure({ serverUrl: url + "/v1", auth: { bearer: token } });
const body = { operation: "video" as const, input: { image, prompt: "slow zoom" } };
const job = await client.createJob({ headers: { "Idempotency-Key": "order-1" }, body });
const again = await client.createJob({ headers: { "Idempotency-Key": "order-1" }, body });
const events = [];
for await (const { event } of client.followJob({ path: { id: job.id } })) events.push(event);
const ended = await client.readJob({ path: { id: job.id } });
const file = await client.readMedia({ path: { id: job.id } }, { parseAs: "arrayBuffer" });
const { outcome } = await client.deleteJob({ path: { id: job.id } });
const refused = await client.readJob({ path: { id: job.id } }).catch((error: unknown) => error);
console.log(JSON.stringify({
  once: job.id === again.id,
  last: events.at(-1),
  status: ended.status,
  whole: file instanceof ArrayBuffer && file.byteLength === ended.media[0]?.bytes,
  outcome,
  refused: refused instanceof ApiError && [refused.status, refused.body],
}));
`;

let said: ReadonlyMap<string, string>;
beforeAll(async () => {
  await using sandbox = await testSandbox();
  await using gateway = await openGateway(sandbox);
  await generate(gateway.url);
  const wrong = Object.entries(WRONG_ONES).map(([name, [body]]) => [name, body] as const);
  const bodies = [...Object.entries(RIGHT_ONES), ...wrong];
  said = await saidOf({
    "conversation.ts": CONVERSATION,
    ...Object.fromEntries(bodies.map(([name, body]) => [`${name}.ts`, asking(body)])),
  });
});

describe("a client that somebody else's generator makes of the description", () => {
  it("compiles where what is asked for is right, and nowhere else", () => {
    const wrong = Object.keys(WRONG_ONES).map((name) => `${name}.ts`);
    expect([...said.keys()].toSorted()).toEqual(wrong.toSorted());
    for (const [name, [, named]] of Object.entries(WRONG_ONES))
      expect(said.get(`${name}.ts`)).toContain(named);
  });

  it("makes, follows, downloads and deletes a video, and throws what is refused", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const { token } = await gateway.join();
    const args = [join(folder, "conversation.ts"), gateway.url, token, await testPicture()];
    const { out, err } = await run(process.execPath, args);
    expect(err).toBe("");
    expect(JSON.parse(out)).toEqual({
      once: true,
      last: "job.completed",
      status: "completed",
      whole: true,
      outcome: "deleted",
      refused: [404, expect.objectContaining({ code: "not_found" })],
    });
    expect((await sandbox.ledger()).submissions).toHaveLength(1);
  });
});
