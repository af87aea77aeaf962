import sharp from "sharp";
import { expect, it, vi } from "vitest";
import { z } from "zod";
import type * as Languages from "../../../src/common/languages.ts";
import type * as Registry from "../../../src/domain/operations/registry.ts";
import { blocksOf, textOf } from "../../docs/pages.ts";
import { openGateway } from "../../support/gateway.ts";
import { testPicture, testSandbox } from "../../support/sandbox.ts";

// Two operations as somebody would add them: a description each, a line in the registry, words.
vi.mock("../../../src/domain/operations/registry.ts", async (original) => {
  const registry = await original<typeof Registry>();
  const { upscale } = await import("../../support/upscale.ts");
  const { described } = await import("../../../src/domain/operations/described.ts");
  const { words } = await import("../../../src/domain/operations/fields.ts");
  const request = await import("../../../src/infrastructure/api/requests/fields.ts");
  const dream = described({
    id: "dream",
    type: "video",
    result: "video",
    schema: z.strictObject({ prompt: words() }),
    endpoint: {
      path: "/generate/dream",
      group: "video",
      request: z.strictObject({ prompt: request.words }),
    },
    subscription: "pro",
    instead: "video",
    size: () => "one",
  });
  Reflect.apply(Array.prototype.push, registry.OPERATIONS, [upscale, dream]);
  return registry;
});
vi.mock("../../../src/common/languages.ts", async (original) => {
  const { sentencesOf } = await original<typeof Languages>();
  const words = {
    "field.scale": "How many times larger",
    "operation.upscale": "Make larger",
    "operation.upscale.description": "A larger picture",
    "operation.dream": "Dream",
    "operation.dream.description": "A dream",
  };
  return { sentencesOf: (locale: string) => ({ ...sentencesOf(locale), ...(locale === "en" && words) }) };
});

it("is offered, sent, rate-limited, made and delivered by its description alone", async () => {
  await using sandbox = await testSandbox();
  await using gateway = await openGateway(sandbox);
  const acme = await gateway.join();
  const image = await testPicture(96, 64);
  const { id } = await acme.accepted({ operation: "upscale", input: { image, scale: 4 } });
  const made = await acme.ended(id);
  expect(made).toMatchObject({ status: "completed", cost: 1, media: [{ kind: "image" }] });
  const result = await acme.call(`/jobs/${id}/media`);
  expect(await sharp(await result.arrayBuffer()).metadata()).toMatchObject({ width: 96, height: 64 });

  const { submissions, requests } = await sandbox.ledger();
  expect(submissions).toMatchObject([{ type: "image_edit", cost: 1 }]);
  expect(requests).toMatchObject({ image: 1 });
  expect(
    await (await acme.submit({ operation: "upscale", input: { image, scale: 3 } })).json(),
  ).toMatchObject({ code: "field_invalid" });
  expect((await acme.call(`/jobs/${id}`, { method: "DELETE" })).status).toBeLessThan(300);
});

it("keeps to its subscription, at the service as well", async () => {
  await using sandbox = await testSandbox();
  await using gateway = await openGateway(sandbox);
  const [free, pro] = [
    await gateway.join("free", { key: sandbox.keys.standard }),
    await gateway.join("pro", { key: sandbox.keys.pro }),
  ];
  const order = { operation: "dream", input: { prompt: "a lake at night" } };
  const refused = await free.ended((await free.accepted(order)).id);
  expect(refused).toMatchObject({ status: "failed", error: { code: "pro_required" } });
  const made = await pro.ended((await pro.accepted(order)).id);
  expect(made).toMatchObject({ status: "completed", media: [{ kind: "video", type: "video/mp4" }] });
});

it("is what CONTRIBUTING.md shows, word for word", () => {
  const block = blocksOf("CONTRIBUTING.md").find(({ language }) => language === "ts");
  const shown = block?.text
    .replaceAll('"./', '"../../src/domain/operations/')
    .replaceAll('"../../infra', '"../../src/infra');
  expect(shown).toBe(textOf("test/support/upscale.ts"));
});

it("is refused where its form has a field that its request has not", async () => {
  const { described } = await import("../../../src/domain/operations/described.ts");
  const { words } = await import("../../../src/domain/operations/fields.ts");
  const describing = (sent: string) =>
    described({
      id: "dream",
      type: "video",
      result: "video",
      schema: z.strictObject({ prompt: words() }),
      endpoint: { path: "/generate/dream", group: "video", request: z.strictObject({ [sent]: z.string() }) },
      sentAs: { prompt: "text" },
      instead: "video",
      size: () => "one",
    });
  expect(() => describing("prompt")).toThrow(
    "dream: “text” is a field of the form, and none of POST /generate/dream",
  );
  expect(describing("text").id).toBe("dream");
});
