import { expect, it } from "vitest";
import { testCore } from "../../support/core.ts";
import { testSandbox } from "../../support/sandbox.ts";
import { MemorySurface, person } from "../../support/surface.ts";

it("offers to start anew from a job whose result is on its way, and neither shows nor deletes it meanwhile", async () => {
  await using sandbox = await testSandbox();
  const surface = new MemorySurface("web");
  const { promise: posted, resolve: post } = Promise.withResolvers<void>();
  const { promise: posting, resolve: begin } = Promise.withResolvers<void>();
  const revise = surface.revise.bind(surface);
  surface.revise = async (receipt, view) => {
    if (view.kind === "result") {
      begin();
      await posted;
    }
    return revise(receipt, view);
  };
  await using core = await testCore(sandbox, { surface });
  const offered = async () => {
    await core.surface.intake.command(person("ann"), "jobs", {});
    const [item] = core.surface.showing("menu").at(-1)?.items ?? [];
    return item?.actions.map(({ token }) => token.slice(0, token.indexOf(":")));
  };
  await core.surface.intake.command(person("ann"), "image", { prompt: "a castle" });
  await posting;
  expect(await offered()).toEqual(["change"]);
  post();
  await expect.poll(offered, { timeout: 30_000 }).toEqual(["show", "change", "delete"]);
});
