import { afterAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { caller, textOf } from "../../sandbox/call.ts";
import { emulated, EVERY, everyPath, GENERATING, NO_JOB } from "./service.ts";
import { misfits } from "./shapes.ts";
import { answers, ENDPOINTS, RATE_MESSAGE, type STATUSES } from "./table.ts";

const { sandbox, as, body, hosts, material } = await emulated("running");
afterAll(() => sandbox.stop());

const ALL = everyPath(NO_JOB);

const TAKEN = { status: 200, body: expect.any(Object) };

/** The whole answer to a refused request (section 2.12). */
const refusal = (status: keyof typeof STATUSES, error: unknown = expect.stringMatching(/\w/)) => ({
  status,
  body: { error, code: status },
});

/** Any text as a submission. */
async function post(text: string, type = "application/json") {
  const response = await fetch(`${hosts.primary}/generate/video`, {
    method: "POST",
    headers: { "x-api-key": sandbox.keys.pro, "content-type": type },
    body: text,
  });
  return { status: response.status, body: await response.json() };
}

describe("400", () => {
  it.each([
    ["no JSON", "{"],
    ["an empty body", ""],
    ["no object", "[]"],
    ["null", "null"],
  ])("for %s", async (_, text) => {
    expect(await post(text)).toEqual(refusal(400));
  });

  it("for another type of body, and for a form where none is offered", async () => {
    const good = JSON.stringify(body("generateVideo"));
    expect(await post(good, "text/plain")).toEqual(refusal(400));
    expect(await post(good)).toMatchObject({ status: 200 });
    const form = new FormData();
    form.set("prompt", "slow zoom");
    expect(await as("boss")("POST", "/generate/video", form)).toEqual(refusal(400));
  });

  it.each([
    ["is no base64", "no base64!"],
    ["is no picture", Buffer.from("no picture").toString("base64")],
    ["breaks off", material.pictures.jpeg.subarray(0, 200).toString("base64")],
  ])("for a picture that %s", async (_, image_base64) => {
    const answer = await as("boss")("POST", "/generate/video", body("generateVideo", { image_base64 }));
    expect(answer).toEqual(refusal(400, expect.stringContaining("image_base64")));
  });

  it("for a template that does not exist", async () => {
    for (const [name, given] of [
      ["generateVideo", { lora_template: "no-such" }],
      ["generateVideoAudio", { template: "no-such" }],
      ["generateImageEdit", { template_id: "no-such" }],
      ["generateImage", { model: "no-such" }],
      ["generateH3", { template_id: "no-such" }],
      ["generateImgproEdit", { template_id: "no-such" }],
    ] as const)
      expect(await as("boss")("POST", ENDPOINTS[name].path, body(name, given)), name).toEqual(refusal(400));
  });
});

describe("401", () => {
  it.each(ALL)(
    "without a key or with a wrong one: $endpoint.method $path on the $host host",
    async ({ endpoint, host, path }) => {
      for (const key of [undefined, "rk_wrong", "standard"]) {
        const answer = await caller(hosts[host], key)(endpoint.method, path);
        expect(answer).toEqual(refusal(401));
        expect(misfits(answers.ERROR, answer.body)).toEqual([]);
      }
    },
  );
});

describe("402", () => {
  it.each(GENERATING)("when the tokens do not suffice: $name", async ({ name, endpoint }) => {
    const call = caller(sandbox.url, sandbox.addAccount(`poor-${name}`, "boss", 0.01));
    expect(await call("POST", endpoint.path, body(name))).toEqual(refusal(402));
    expect((await call("GET", "/user/balance")).body).toMatchObject({ tokens: 0.01 });
  });
});

describe("403", () => {
  it.each(EVERY.filter(({ endpoint }) => endpoint.access))(
    "below what is needed ($endpoint.access), and not above: $name",
    async ({ name, endpoint }) => {
      const { access, method, path, host = "primary", query } = endpoint;
      const isPost = method === "POST";
      for (const account of ["standard", "pro", "ultra", "boss"] as const) {
        const allowed = account === "boss" || (access !== "boss" && account !== "standard");
        const call = as(account, host);
        const answer = isPost
          ? await call("POST", path, body(name))
          : await call("GET", `${path}${query ? "?full=1" : ""}`);
        expect(answer, account).toEqual(allowed ? TAKEN : refusal(403));
      }
    },
  );

  it("names the subscription that is needed", async () => {
    for (const { name, endpoint } of GENERATING.filter(({ endpoint }) => endpoint.access))
      expect((await as("standard")("POST", endpoint.path, body(name))).body["error"]).toMatch(/Pro/);
  });

  it("for a third picture outside of the Ultra tier, whose name it says", async () => {
    const image = material.pictures.png.toString("base64");
    const request = body("generateImageEdit", { image_2_base64: image, image_3_base64: image });
    for (const account of ["standard", "pro"] as const)
      expect(await as(account)("POST", "/generate/image-edit", request)).toEqual(
        refusal(403, expect.stringContaining("Ultra")),
      );
    for (const account of ["ultra", "boss"] as const)
      expect((await as(account)("POST", "/generate/image-edit", request)).status).toBe(200);
  });

  it.each([
    ["generateVideo", "lora_template", "/templates"],
    ["generateVideoAudio", "template", "/templates"],
    ["generateH3", "template_id", "/h3-r2v-templates"],
  ] as const)("for a premium template without a subscription: %s", async (name, field, catalogue) => {
    const { templates } = (await as("boss")("GET", catalogue)).body;
    const ids = Object.keys(z.record(z.string(), z.unknown()).parse(templates));
    const { path } = ENDPOINTS[name];
    const call = caller(sandbox.url, sandbox.addAccount(`free-${name}`, "standard", 0));
    const found = await Promise.all(
      ids.map(async (id) => (await call("POST", path, body(name, { [field]: id }))).status),
    );
    // Those that need no subscription are refused for want of tokens.
    expect(new Set(found)).toEqual(new Set([402, 403]));
    const premium = body(name, { [field]: ids[found.indexOf(403)] });
    expect(await as("standard")("POST", path, premium)).toEqual(refusal(403));
    expect((await as("pro")("POST", path, premium)).status).toBe(200);
  });
});

describe("404", () => {
  it.each(ALL.filter(({ endpoint }) => endpoint.path.includes("{id}")))(
    "for a job that does not exist: $endpoint.method $path on the $host host",
    async ({ endpoint, host, path }) => {
      expect(await as("boss", host)(endpoint.method, path)).toEqual(refusal(404));
    },
  );

  it("for somebody else's job, and for paths that do not exist", async () => {
    const made = await as("boss")("POST", "/generate/video", body("generateVideo"));
    const id = textOf(made.body["job_id"]);
    for (const path of [
      `/job/${id}`,
      `/job/${id}/status`,
      `/jobs/${id}/settings`,
      "/no-such",
      "/generate/no-such",
    ])
      expect(await as("ultra")("GET", path), path).toEqual(refusal(404));
    expect(await as("ultra")("DELETE", `/jobs/${id}`)).toEqual(refusal(404));
  });
});

describe("429", () => {
  it("means that no job slot is free, until one of the key's jobs has ended or is deleted", async () => {
    const call = caller(sandbox.url, sandbox.addAccount("crowd", "standard", 1000));
    const post = () => call("POST", "/generate/image", body("generateImage"));
    const accepted: string[] = [];
    let answer = await post();
    for (; answer.status === 200; answer = await post()) accepted.push(textOf(answer.body["job_id"]));
    expect(accepted.length).toBeGreaterThan(0);
    expect(answer).toEqual(refusal(429, expect.stringMatching(/slot/)));
    expect(answer.body["error"]).not.toBe(RATE_MESSAGE);
    expect((await call("DELETE", `/image-jobs/delete/${accepted[0]}`)).status).toBe(200);
    expect((await post()).status).toBe(200);
  });
});

describe("500 and 503", () => {
  it.each(GENERATING)("are error objects, and nothing is charged: $name", async ({ name, endpoint }) => {
    const call = caller(sandbox.url, sandbox.addAccount(`faults-${name}`, "boss", 100));
    for (const kind of ["500", "503"] as const) {
      await sandbox.fault({ kind, match: { method: "POST", path: `/api${endpoint.path}` } });
      expect(await call("POST", endpoint.path, body(name))).toEqual(refusal(kind === "500" ? 500 : 503));
    }
    expect((await call("GET", "/user/balance")).body).toMatchObject({ tokens: 100 });
  });

  it("a 503 says which product is resting", async () => {
    await sandbox.fault({ kind: "503", product: "H3", match: { method: "POST" } });
    const answer = await as("pro")("POST", "/generate/vendor-h3", body("generateH3"));
    expect(answer).toEqual(refusal(503, expect.stringContaining("H3")));
  });
});
