import { expect, it } from "vitest";
import { partnerUser } from "../../../src/seam/access/partners.ts";
import { openGateway } from "../../support/gateway.ts";
import { testSandbox } from "../../support/sandbox.ts";

const DELETE = { method: "DELETE" };

it("a job whose key is stored no more is deleted here alone, where that is said", async () => {
  await using sandbox = await testSandbox();
  await using gateway = await openGateway(sandbox, { paid: false });
  const acme = await gateway.join("Acme", { key: sandbox.keys.pro });
  const { id } = await acme.accepted({ operation: "image", input: { prompt: "waves" } });
  await acme.ended(id);
  await gateway.vault.remove(partnerUser("acme"));

  const refused = await acme.call(`/jobs/${id}`, DELETE);
  expect(refused.status).toBe(403);
  const { code, detail } = (await refused.json()) as Record<string, unknown>;
  expect(code).toBe("deletion_needs_key");
  expect(detail).toContain("?here=true");
  expect((await acme.call(`/jobs/${id}`)).status).toBe(200);

  const deleted = await acme.call(`/jobs/${id}?here=true`, DELETE);
  expect(await deleted.json()).toEqual({ id, outcome: "kept" });
  expect((await acme.call(`/jobs/${id}`)).status).toBe(404);
  const [submission] = (await sandbox.ledger()).submissions;
  const headers = { "X-API-Key": sandbox.keys.pro };
  expect((await fetch(`${sandbox.url}/job/${submission?.job_id}`, { headers })).status).toBe(200);
});
