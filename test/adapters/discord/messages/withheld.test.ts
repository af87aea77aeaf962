import { describe, expect, it } from "vitest";
import type { DiscordAddress, DiscordReceipt } from "../../../../adapters/discord/context/address.ts";
import type { Services } from "../../../../adapters/discord/context/context.ts";
import { DISCORD } from "../../../../adapters/discord/api/limits.ts";
import { deliver } from "../../../../adapters/discord/messages/post.ts";
import { deliveriesIn } from "../../../../adapters/discord/messages/results-memory.ts";
import { action } from "../../../../src/seam/text/actions.ts";
import type { NoticeView, ResultView } from "../../../../src/seam/views.ts";
import { LINKS_PATH } from "../../../../src/infrastructure/media/files/links.ts";
import { drawn, JOB, result } from "../../../support/results.ts";
import { reachable, revise, harness, TOKEN_MS } from "../results-harness.ts";

const video: ResultView = {
  ...result("video"),
  actions: [...result("video").actions, action("report", JOB, "action.report")],
};

const notice: NoticeView = { kind: "notice", text: { key: "report.withheld" }, job: video.job };

/** Shows a result. */
async function show(
  { services, address }: { services: Services; address: DiscordAddress },
  view: ResultView = video,
): Promise<DiscordReceipt> {
  const receipt = await deliver(services, address, { kind: "progress", job: view.job, phase: "running" });
  return revise(services, receipt, view);
}

describe("a result that is withheld", () => {
  it("goes with its file and its buttons, and comes back into the same message", async () => {
    await using at = await harness();
    const asked = await at.asks();
    const receipt = await show(asked);
    expect(at.said()[0]?.buttons).toEqual([["Again", "Delete", "Report"]]);
    expect(await revise(asked.services, receipt, notice)).toEqual(receipt);
    const gone = { id: receipt.message, files: [], buttons: [], embeds: [] };
    expect(at.said()).toMatchObject([gone]);
    expect(at.said()[0]?.text).not.toContain("done");
    // A killed process did not come to writing that down.
    await revise(asked.services, receipt, notice);
    expect(at.said()).toMatchObject([gone]);
    await revise(asked.services, receipt, video);
    expect(at.said()).toMatchObject([{ id: receipt.message, files: [{ name: "made.mp4" }] }]);
    expect(at.said()[0]?.text).toContain("done");
  });

  it("goes long after its interaction, too, and comes back there", async () => {
    await using at = await harness();
    const asked = await at.asks();
    const receipt = await show(asked);
    at.discord.passTime(TOKEN_MS);
    await revise(asked.services, receipt, notice);
    expect(at.said()).toMatchObject([{ id: receipt.message, files: [], buttons: [] }]);
    await revise(asked.services, receipt, video);
    expect(at.shown()).toMatchObject([{ id: receipt.message, files: [{ name: "made.mp4" }] }]);
  });

  it("that a moderator deleted meanwhile is away, and nobody is told of it", async () => {
    await using at = await harness();
    const asked = await at.asks();
    const receipt = await show(asked);
    const [shown] = at.shown();
    if (!shown) throw new Error("Nothing came.");
    at.bob.deletes(shown);
    await revise(asked.services, receipt, notice);
    expect(at.said()).toEqual([]);
    await revise(asked.services, receipt, video);
    expect(at.shown()).toHaveLength(1);
  });

  it("takes its links with it", async () => {
    await using at = await harness({ attachmentLimit: 2_000 });
    const asked = await at.asks();
    const services = reachable(asked.services);
    await show({ ...asked, services });
    const { links = [], receipt } = (await deliveriesIn(services.memory).find(JOB)) ?? {};
    expect(links).toHaveLength(1);
    const open = async () => {
      const path = new URL(links[0] ?? "").pathname.slice(LINKS_PATH.length);
      const answer = await services.host.links.routes.request(path);
      await answer.arrayBuffer();
      return answer.status;
    };
    expect(await open()).toBe(200);
    if (!receipt) throw new Error("Nothing came.");
    await revise(services, receipt, notice);
    expect(await open()).toBe(404);
  });

  it("where the bot itself is not goes with the press that lets it, and comes back", async () => {
    await using at = await harness({ present: false });
    const asked = await at.asks();
    const receipt = await show(asked);
    at.discord.passTime(TOKEN_MS);
    await expect(revise(asked.services, receipt, notice)).rejects.toMatchObject({ code: "undeliverable" });
    expect(at.shown()).toHaveLength(1);
    await at.bob.presses("Report", { in: at.channel });
    expect((await at.bob.sees("Costs 2.7")).ephemeral).toBe(true);
    expect(at.said().filter(({ ephemeral }) => !ephemeral)).toMatchObject([{ files: [], buttons: [] }]);
  });

  it("where the bot itself is not goes within a quarter of an hour after the last press", async () => {
    await using at = await harness({ present: false });
    const asked = await at.asks();
    const receipt = await show(asked);
    at.discord.passTime(TOKEN_MS);
    await at.bob.presses("Report", { in: at.channel });
    await at.bob.sees("Costs 2.7");
    expect(at.shown()).toHaveLength(1);
    await revise(asked.services, receipt, notice);
    expect(at.shown()).toEqual([]);
  });
});

describe("a covered result", () => {
  it("has files that are covered, made smaller too", async () => {
    await using at = await harness();
    const asked = await at.asks();
    await show(asked, { ...video, spoiler: true });
    expect(at.shown()).toMatchObject([{ files: [{ name: "made.mp4", covered: true }] }]);
    const noise = await drawn(2_400, 1_800, true);
    const large = {
      ...result("image", noise),
      job: { ...video.job, id: "0mwprskck334cb5f05f" },
      spoiler: true,
    };
    await show(await at.asks(), large);
    expect(at.shown()[1]?.text).toContain("Made smaller");
    expect(at.shown()[1]?.files[0]).toMatchObject({ name: expect.stringMatching(/^made\./), covered: true });
  });

  it("is covered as a link", async () => {
    await using at = await harness({ attachmentLimit: 2_000 });
    const asked = await at.asks();
    const services = reachable(asked.services);
    await show({ ...asked, services }, { ...video, spoiler: true });
    expect(at.said()[0]?.text).toMatch(/\|\|\[[^\]]+\]\(https:\/\/reelay\.example\/\S+\)\|\|$/);
  });
});

describe("a file for one person", () => {
  const file = {
    kind: "file",
    text: { key: "export.text" },
    file: { name: "reelay-export.json", type: "application/json", content: '{"jobs":[]}' },
  } as const;

  it("is attached to what only they see", async () => {
    await using at = await harness();
    const { services, address } = await at.asks();
    await deliver(services, address, file);
    const { ephemeral, files } = await at.ann.sees(({ files: [first] }) => first !== undefined);
    expect(ephemeral).toBe(true);
    expect(files).toMatchObject([{ name: "reelay-export.json" }]);
    expect(files[0]?.bytes.toString()).toBe('{"jobs":[]}');
    expect(at.said()).toEqual([]);
  });

  it("never takes the place of what others see", async () => {
    await using at = await harness();
    const asked = await at.asks();
    const receipt = await show(asked);
    await revise(asked.services, receipt, file);
    expect(at.shown()).toMatchObject([{ files: [{ name: "made.mp4" }] }]);
    await at.ann.sees(({ files: [first] }) => first?.name === "reelay-export.json");
  });

  it("comes by a direct message where nothing can be answered any more", async () => {
    await using at = await harness();
    const { services, address } = await at.asks();
    at.discord.passTime(DISCORD.tokenMs);
    await deliver(services, address, file);
    const { channelId } = await at.ann.sees(({ files: [first] }) => first !== undefined);
    expect(channelId).toBe(at.ann.conversation.id);
  });
});

describe("what nobody else sees", () => {
  it("is not reported", async () => {
    await using at = await harness();
    const asked = await at.asks({ secret: true });
    await show(asked);
    expect((await at.ann.sees("done")).buttons).toEqual([["Again", "Delete"]]);
  });
});
