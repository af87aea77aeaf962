import { expect, it } from "vitest";
import { fuzz } from "../../support/fuzz/fuzz.ts";
import { openGateway } from "../../support/gateway.ts";
import { testSandbox } from "../../support/sandbox.ts";

/** `npm run bench -- fuzz` sends ten thousand, from several seeds. */
const COUNT = 500;

it("answers whatever is sent to it as its document says, and never with a failure of its own", async () => {
  await using sandbox = await testSandbox();
  await using gateway = await openGateway(sandbox, { fetch });
  const { statuses, findings } = await fuzz(gateway, { seed: "suite", count: COUNT });
  expect(findings).toEqual([]);
  // What is refused at the door alone would say nothing of what is behind it.
  for (const status of [200, 202, 400, 401, 404, 422])
    expect(statuses.get(status), String(status)).toBeGreaterThan(0);
});
