import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { answer, serve } from "../infrastructure/api/server.ts";
import { openGateway, type TestGateway } from "../support/gateway.ts";
import { runWorkflow } from "../support/n8n-runner.ts";
import { readWorkflow } from "../support/n8n-workflow.ts";
import { temporaryFolder, testPicture, testSandbox } from "../support/sandbox.ts";
import { lossyLine } from "./lossy-line.ts";
import { play, recipe } from "./recipe.ts";

const photo = async () => {
  const body = Buffer.from(await testPicture(), "base64");
  return serve(answer(200, body, { "content-type": "image/jpeg" }));
};

/** The workflow, set up as it says itself. */
async function workflowFor({ url }: Pick<TestGateway, "url">) {
  const text = JSON.stringify(await readWorkflow(recipe("n8n.json")));
  return JSON.parse(text.replace("https://reelay.example", url)) as Awaited<ReturnType<typeof readWorkflow>>;
}

describe("the workflow for n8n", () => {
  it("hangs together", async () => {
    // Reading it refuses what is not understood, such as somebody's credentials.
    const { nodes, connections } = await readWorkflow(recipe("n8n.json"));
    const steps = nodes.filter(({ type }) => type !== "n8n-nodes-base.stickyNote");
    const names = steps.map(({ name }) => name);
    expect(new Set(names).size).toBe(steps.length);
    expect(new Set(nodes.map(({ id }) => id)).size).toBe(nodes.length);
    const targets = Object.values(connections).flatMap(({ main }) => main.flat().map(({ node }) => node));
    // Every step is reached once, from the first on; nothing leads elsewhere.
    expect(["Order", ...targets].sort()).toEqual(names.sort());
  });

  it("makes a video of a photo once, over a line that breaks", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    await using line = await lossyLine(gateway.url);
    await using photos = await photo();
    const { token } = await gateway.join();
    const order = { photo: `${photos.origin}/photo.jpg`, prompt: "slow zoom", user: "jo" };
    const { answered, last } = await runWorkflow(await workflowFor(line), { order, token });
    expect(answered).toEqual({ status: 202, body: { job: expect.any(String) } });
    const path = join(temporaryFolder(), "video.mp4");
    await writeFile(path, last.binary?.["video"] ?? "");
    play(path);
    const { submissions } = await sandbox.ledger();
    expect(submissions.filter((one) => one.prompt === "slow zoom")).toMatchObject([
      { in_app_username: "jo" },
    ]);
  });

  it("stops with the reason of a job that came to nothing", async () => {
    await using sandbox = await testSandbox({ failRate: 1 });
    await using gateway = await openGateway(sandbox);
    await using photos = await photo();
    const { token } = await gateway.join();
    const order = { photo: `${photos.origin}/photo.jpg`, prompt: "slow zoom" };
    const run = runWorkflow(await workflowFor(gateway), { order, token });
    await expect(run).rejects.toThrow("The service could not make this");
  });
});
