import { join } from "node:path";
import { expect, it } from "vitest";
import { openGateway } from "../support/gateway.ts";
import { temporaryFolder, testSandbox } from "../support/sandbox.ts";
import { lossyLine } from "./lossy-line.ts";
import { play, recipe, run } from "./recipe.ts";

it("makes a picture and a film of it with OpenAI's client, over a line that breaks", async () => {
  await using sandbox = await testSandbox();
  await using gateway = await openGateway(sandbox);
  await using line = await lossyLine(gateway.url);
  const { token } = await gateway.join();
  const video = join(temporaryFolder(), "video.mp4");
  const call = [recipe("openai.mjs"), "a lighthouse", "slow zoom", video];
  const ended = await run(process.execPath, call, { REELAY_URL: line.url, REELAY_TOKEN: token });
  expect(ended).toMatchObject({ code: 0, out: expect.stringContaining(`Saved: ${video}`) });
  play(video);
  const { submissions } = await sandbox.ledger();
  expect(submissions.map(({ prompt }) => prompt)).toEqual(["a lighthouse", "slow zoom"]);
  const refused = await run(process.execPath, [recipe("openai.mjs"), "x".repeat(20_001), "slow zoom"], {
    REELAY_URL: gateway.url,
    REELAY_TOKEN: token,
  });
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining("at most 20,000 characters") });
});
