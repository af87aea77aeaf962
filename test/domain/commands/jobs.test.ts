import { expect, it } from "vitest";
import { testCore } from "../../support/core.ts";
import { testSandbox } from "../../support/sandbox.ts";
import { MemorySurface, person } from "../../support/surface.ts";
import { harness, isNotice, madeInGroup, member } from "../reports/harness.ts";

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
  await expect.poll(offered).toEqual(["show", "change", "delete"]);
});

it("tells how a result was made that is being taken down, and deletes it once it is", async () => {
  await using sandbox = await testSandbox();
  await using core = await harness(sandbox);
  const job = await madeInGroup(core);
  const { promise: takenDown, resolve: takeDown } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  core.surface.beforePost = (view) => {
    if (!isNotice(view, "report.withheld")) return undefined;
    begin();
    return takenDown;
  };
  for (const who of ["bob", "cleo"]) await core.surface.intake.act(member(who), `report:${job}`);
  await begun;
  const offered = async () => {
    await core.surface.intake.command(member("ann"), "jobs", {});
    return core.surface
      .showing("menu")
      .at(-1)
      ?.items[0]?.actions.map(({ token }) => token);
  };
  expect(await offered()).toEqual([`details:${job}`]);
  takeDown();
  await expect.poll(offered).toEqual([`details:${job}`, `delete:${job}`]);
});
