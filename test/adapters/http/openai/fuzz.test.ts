import { expect, it } from "vitest";
import { fuzzOpenAi } from "../../../support/fuzz/openai.ts";
import { openGateway } from "../../../support/gateway.ts";
import { testSandbox } from "../../../support/sandbox.ts";

it("refuses whatever it cannot take in a way that OpenAI's programs read, and never fails itself", async () => {
  await using sandbox = await testSandbox();
  await using gateway = await openGateway(sandbox, { fetch });
  const { statuses, findings } = await fuzzOpenAi(gateway, { seed: "suite", count: 300 });
  expect(findings).toEqual([]);
  for (const status of [200, 400, 404]) expect(statuses.get(status), String(status)).toBeGreaterThan(0);
});
