import { beforeAll, describe, expect, it } from "vitest";
import type { OpenApi } from "../../../adapters/http/openapi/model.ts";
import type { ProblemBody } from "../../../adapters/http/resources/problem.ts";
import { openGateway, type TestPartner } from "../../support/gateway.ts";
import { testPicture, testSandbox } from "../../support/sandbox.ts";

let image: string;

beforeAll(async () => {
  image = await testPicture();
});

const zoom = (more: object = {}) => ({
  operation: "video",
  input: { image, prompt: "slow zoom" },
  in_app_username: "jo",
  ...more,
});

const swap = (more: object = {}) => ({
  operation: "faceswap",
  input: { source: image, target: image },
  in_app_username: "jo",
  ...more,
});

/** What a submission is refused with; null where it is accepted. */
async function refusal(partner: TestPartner, body: object, headers = {}): Promise<ProblemBody | null> {
  const answer = await partner.submit(body, headers);
  return answer.status === 202 ? null : ((await answer.json()) as ProblemBody);
}

describe("a partner whose people are asked", () => {
  it("is told what to ask, passes on what was said, and need not ask again", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join("acme", { gates: "asked" });
    const key = { "idempotency-key": "order-1", "accept-language": "de" };
    expect(await refusal(acme, zoom(), key)).toMatchObject({
      status: 403,
      code: "statement_missing",
      retryable: false,
      statement: "terms",
      text: expect.stringContaining("verantwortest du"),
      agreed: ["terms"],
    });
    expect(await refusal(acme, zoom({ agreed: ["terms"] }), key)).toMatchObject({
      statement: "consent",
      detail: expect.stringContaining("Die Menschen auf meinen Fotos sind einverstanden"),
    });
    // The terms were recorded, though nothing came of that request.
    expect(await refusal(acme, zoom({ agreed: ["consent"] }), key)).toBeNull();
    expect(await refusal(acme, zoom())).toBeNull();
    expect((await sandbox.ledger()).submissions.length).toBeLessThanOrEqual(2);
  });

  it("asks at each face swap, and each person for themselves", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join("acme", { gates: "asked" });
    expect(await refusal(acme, swap({ agreed: ["terms", "consent"] }))).toMatchObject({ statement: "faces" });
    expect(await refusal(acme, swap({ agreed: ["faces"] }))).toBeNull();
    expect(await refusal(acme, swap())).toMatchObject({ statement: "faces" });
    expect(await refusal(acme, zoom({ in_app_username: "kim" }))).toMatchObject({ statement: "terms" });
    expect(await refusal(acme, zoom())).toBeNull();
  });

  it("must say who it is", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join("acme", { gates: "asked" });
    const nameless = await refusal(acme, { operation: "image", input: { prompt: "x" }, agreed: ["terms"] });
    expect(nameless?.errors).toMatchObject([{ field: "in_app_username", code: "field_required" }]);
    expect(await (await acme.call("/partner")).json()).toMatchObject({ gates: "asked", mature: false });
  });

  it("takes statements by their names alone, and by a form too", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join("acme", { gates: "asked" });
    expect(await refusal(acme, zoom({ agreed: ["everything"] }))).toMatchObject({
      errors: [{ field: "agreed.0", code: "field_invalid" }],
    });
    expect(await refusal(acme, zoom({ agreed: Array.from({ length: 5 }, () => "terms") }))).toMatchObject({
      errors: [{ field: "agreed", code: "field_invalid", max: 4 }],
    });
    const form = async (user: string, ...agreed: readonly string[]) => {
      const body = new FormData();
      const fields = { operation: "image", prompt: "[a cat]", in_app_username: user };
      for (const [name, value] of Object.entries(fields)) body.append(name, value);
      for (const each of agreed) body.append("agreed", each);
      const headers = { "idempotency-key": crypto.randomUUID() };
      const answer = await acme.call("/jobs", { method: "POST", body, headers });
      const { errors, code } = (await answer.json()) as ProblemBody;
      return [answer.status, ...(code ? [code, errors?.map(({ field }) => field)] : [])];
    };
    expect(await form("jo", "terms, consent")).toEqual([202]);
    expect(await form("ann", "terms", "consent")).toEqual([202]);
    expect(await form("bo", '["terms", "consent"]')).toEqual([202]);
    expect(await form("cy", ' ["terms"]', "consent")).toEqual([202]);
    expect(await form("di", '["terms"')).toEqual([422, "field_invalid", ["agreed"]]);
    expect(await form("di", '["terms",7]')).toEqual([422, "field_invalid", ["agreed.1"]]);
  });

  it("links the host's own terms, and asks anew when those move", async () => {
    await using sandbox = await testSandbox();
    const settings = { REELAY_TERMS_URL: "https://host.example/terms" };
    await using gateway = await openGateway(sandbox, { settings });
    const acme = await gateway.join("acme", { gates: "asked" });
    expect(await refusal(acme, zoom())).toMatchObject({
      statement: "terms",
      terms_url: settings.REELAY_TERMS_URL,
    });
    expect(await refusal(acme, zoom({ agreed: ["terms", "consent"] }))).toBeNull();
  });
});

describe("a partner who vouches", () => {
  it("is asked for nothing, and may pass on what was said all the same", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join();
    expect(await refusal(acme, swap())).toBeNull();
    expect(await refusal(acme, zoom({ agreed: ["terms"] }))).toBeNull();
    const read = async (name: string) =>
      ((await (await acme.call(`/users/${name}/statements`)).json()) as { data: { stated: unknown }[] }).data;
    expect((await read("jo")).map(({ stated }) => stated !== null)).toEqual([true, false, false, false]);
    expect((await read("kim")).every(({ stated }) => stated === null)).toBe(true);
    // Put under the gates of everybody later, what was said still counts.
    await gateway.partners.set("acme", { gates: "asked" });
    expect(await refusal(acme, zoom())).toMatchObject({ statement: "consent" });
  });
});

/** The mature template that a partner can find. */
const find = async (partner: TestPartner) => {
  const found = await partner.call("/catalogues/video-templates?search=wine+evening&limit=1");
  return ((await found.json()) as { data: { value: string }[] }).data.map(({ value }) => value);
};

describe("mature templates", () => {
  const settings = { REELAY_MATURE: "on", REELAY_FULL_CATALOG: "private" };

  it("are for partners whom the operator allows them, by adults where their people are asked", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox, { settings });
    const [trusted, other] = [await gateway.join("trusted", { mature: true }), await gateway.join("other")];
    const [template] = await find(trusted);
    expect(template).toBeDefined();
    expect(await find(other)).not.toContain(template);
    const job = zoom({ input: { image, template } });
    expect((await refusal(other, job))?.code).toMatch(/^(mature_here|field_unknown_choice)$/);
    expect(await trusted.accepted(job)).toMatchObject({ mature: true });
    expect(await trusted.accepted(zoom())).toMatchObject({ mature: false });
    await gateway.partners.set("trusted", { gates: "asked" });
    expect(await refusal(trusted, { ...job, agreed: ["terms", "consent"] })).toMatchObject({
      statement: "adult",
    });
    expect(await refusal(trusted, { ...job, agreed: ["adult"] })).toBeNull();
    await gateway.partners.set("trusted", { mature: false });
    expect(await refusal(trusted, job)).not.toBeNull();
  });
});

describe("what the operator keeps from partners", () => {
  it("is an operation that is switched off: offered nowhere, and refused by its name", async () => {
    await using sandbox = await testSandbox();
    const settings = { REELAY_OPERATIONS_OFF: "http:faceswap,telegram:image" };
    await using gateway = await openGateway(sandbox, { settings });
    const acme = await gateway.join();
    const { data } = (await (await acme.call("/operations")).json()) as { data: { id: string }[] };
    const ids = data.map(({ id }) => id);
    expect(ids).toContain("image");
    expect(ids).not.toContain("faceswap");
    const document = (await (await acme.call("/openapi.json")).json()) as OpenApi;
    expect(JSON.stringify(document.components.schemas)).not.toContain('"faceswap"');
    expect(await refusal(acme, swap(), { "accept-language": "de" })).toMatchObject({
      status: 403,
      code: "operation_off",
      detail: expect.stringContaining("Gesichtertausch"),
    });
    const read = await acme.call("/operations/faceswap");
    expect([read.status, ((await read.json()) as ProblemBody).code]).toEqual([403, "operation_off"]);
  });

  it("is nothing that they sent before: the same key gets the same answer", async () => {
    await using sandbox = await testSandbox();
    await using before = await openGateway(sandbox);
    const acme = await before.join();
    const first = await acme.accepted(swap(), { "idempotency-key": "order-1" });
    const settings = { REELAY_OPERATIONS_OFF: "faceswap" };
    await using gateway = await openGateway(sandbox, { data: before.data, settings });
    const send = async (key: string, body: object) => {
      const headers = {
        authorization: `Bearer ${acme.token}`,
        "content-type": "application/json",
        "idempotency-key": key,
      };
      const asked = { method: "POST", headers, body: JSON.stringify(body) };
      const answer = await fetch(`${gateway.url}/v1/jobs`, asked);
      return [answer.status, await answer.json()];
    };
    expect(await send("order-1", swap())).toEqual([202, first]);
    for (const other of [swap({ in_app_username: "al" }), { operation: "unheard-of" }])
      expect(await send("order-1", other)).toMatchObject([422, { code: "idempotency_mismatch" }]);
    expect(await send("order-2", swap())).toMatchObject([403, { code: "operation_off" }]);
  });

  it("is everything, where they are blocked", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox, { settings: { REELAY_BLOCKED: "http:acme" } });
    const acme = await gateway.join();
    expect(await refusal(acme, zoom())).toMatchObject({ status: 403, code: "blocked" });
    expect((await acme.call("/catalogues/video-templates")).status).toBe(403);
    expect((await acme.call("/jobs")).status).toBe(200);
  });

  it("is nothing for good while it cannot be examined", async () => {
    await using sandbox = await testSandbox();
    const settings = { REELAY_MODERATION_URL: "http://127.0.0.1:9/" };
    await using gateway = await openGateway(sandbox, { settings });
    const acme = await gateway.join();
    const answer = await acme.submit({ operation: "image", input: { prompt: "a cat" } });
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "60"]);
    expect(await answer.json()).toMatchObject({ code: "moderation_down", retryable: true });
  });
});
