import type { APIMessage } from "discord.js";
import { readdir, readFile } from "node:fs/promises";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import type { DiscordAddress } from "../../../adapters/discord/context/address.ts";
import type { MessageBody } from "../../../adapters/discord/api/api.ts";
import type { Services } from "../../../adapters/discord/context/context.ts";
import { Api } from "../../../adapters/discord/api/api.ts";
import { Refused } from "../../../adapters/discord/api/errors.ts";
import { DISCORD } from "../../../adapters/discord/api/limits.ts";
import { deliver } from "../../../adapters/discord/messages/post.ts";
import type { ResultView } from "../../../src/seam/views.ts";
import { LINKS_PATH } from "../../../src/infrastructure/media/files/links.ts";
import type { FakeDiscord } from "../../support/discord/fake-discord.ts";
import { clip, drawn, JOB, largeClip, result } from "../../support/results.ts";
import { reachable, revise, harness, TOKEN_MS } from "./results-harness.ts";

const begin = ({ services, address }: { services: Services; address: DiscordAddress }) =>
  deliver(services, address, { kind: "progress", job: result("video").job, phase: "running" });

/** A Discord where the bot may attach no files in one channel. */
class WithoutFiles extends Api {
  closed = "";

  override async edit(channel: string, message: string, body: MessageBody): Promise<APIMessage> {
    if (channel === this.closed && body.files?.length) throw new Refused(403, 50_013, "Missing Permissions");
    return super.edit(channel, message, body);
  }
}

/** The calls that were refused for their size. */
const tooLarge = (discord: FakeDiscord) => discord.calls().filter(({ error }) => error?.status === 413);

/** A result whose file breaks off. */
function broken(): ResultView {
  const [media] = result("video").media;
  if (!media) throw new Error("There is no video.");
  const stream = Readable.from(
    (async function* () {
      yield Buffer.from("half");
      throw new Error("The line broke.");
    })(),
  );
  return { ...result("video"), media: [{ ...media, open: async () => ({ stream, type: "video/mp4" }) }] };
}

describe("a video that is larger than Discord takes", () => {
  it("is made smaller, and says so", async () => {
    await using at = await harness();
    const asked = await at.asks();
    const large = result("video", await largeClip(DISCORD.file));
    await revise(asked.services, await begin(asked), large);
    const [shown] = at.said();
    expect(shown?.files).toMatchObject([{ name: "made.mp4", contentType: "video/mp4" }]);
    expect(shown?.files[0]?.size).toBeLessThan(DISCORD.file);
    expect(shown?.text).toContain("\nMade smaller, because Discord does not accept files of that size.");
    expect(shown?.text).toMatch(/\nThe original is [\d.]+ MB\.$/);
  });

  it("has the original beside it where people reach our server, until it is taken back", async () => {
    await using at = await harness();
    const asked = await at.asks();
    const services = reachable(asked.services);
    const path = await largeClip(DISCORD.file);
    const receipt = await revise(services, await begin(asked), result("video", path));
    const [shown] = at.said();
    expect(shown?.text).toContain("Made smaller");
    const linked = /\[Download the original \([\d.]+ MB\) here; [^\]]+\]\(([^)]+)\)/.exec(shown?.text ?? "");
    const { pathname } = new URL(linked?.[1] ?? "");
    const open = () => services.host.links.routes.request(pathname.slice(LINKS_PATH.length));
    expect(Buffer.from(await (await open()).arrayBuffer())).toEqual(await readFile(path));
    const { job } = result("video");
    await revise(services, receipt, { kind: "notice", text: { key: "job.deleted" }, job });
    expect((await open()).status).toBe(404);
  });

  it("is sent as it is where the person's server takes more", async () => {
    await using at = await harness({ attachmentLimit: 24 * 2 ** 20 });
    const asked = await at.asks();
    const path = await largeClip(DISCORD.file);
    await revise(asked.services, await begin(asked), result("video", path));
    expect(at.shown()[0]?.files[0]?.bytes).toEqual(await readFile(path));
  });

  it("fits what a bot's own message takes, once the token died", async () => {
    await using at = await harness({ attachmentLimit: 24 * 2 ** 20 });
    const asked = await at.asks();
    const receipt = await begin(asked);
    at.discord.passTime(TOKEN_MS);
    await revise(asked.services, receipt, result("video", await largeClip(DISCORD.file)));
    expect(at.shown()[0]?.files[0]?.size).toBeLessThan(DISCORD.file);
    expect(tooLarge(at.discord)).toEqual([]);
  });

  it("is made smaller where Discord takes less than it said", async () => {
    const { length } = await readFile(clip);
    await using at = await harness({ attachmentLimit: length - 1 });
    const { services, address } = await at.asks();
    await deliver(services, { ...address, fileLimit: length }, result("video"));
    expect(tooLarge(at.discord)).toHaveLength(1);
    expect(at.shown()[0]?.files[0]?.size).toBeLessThan(length);
  });

  it("and cannot be made smaller comes as a link to our own server, which expires", async () => {
    await using at = await harness({ attachmentLimit: 2_000 });
    const asked = await at.asks();
    const services = reachable(asked.services);
    const receipt = await begin(asked);
    await revise(services, receipt, result("video"));
    const [shown, ...others] = at.said();
    expect(others).toEqual([]);
    expect(shown).toMatchObject({ id: receipt.message, files: [], buttons: [["Again", "Delete"]] });
    const [, address = ""] = /\[Download it here; [^\]]+\]\(([^)]+)\)/.exec(shown?.text ?? "") ?? [];
    const url = new URL(address);
    expect(url.origin).toBe("https://reelay.example");
    const answer = await services.host.links.routes.request(url.pathname.slice(LINKS_PATH.length));
    expect(answer.headers.get("content-disposition")).toContain("made.mp4");
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(await readFile(clip));
  });

  it("and can be sent in no form waits among the jobs, and says so in its place", async () => {
    await using at = await harness({ attachmentLimit: 2_000 });
    const asked = await at.asks();
    const receipt = await begin(asked);
    const sending = revise(asked.services, receipt, result("video"));
    await expect(sending).rejects.toMatchObject({ code: "undeliverable" });
    expect(at.said()).toMatchObject([
      { id: receipt.message, text: expect.stringContaining("/jobs"), buttons: [["Show again"]] },
    ]);
  });
});

describe("a picture that is larger than Discord takes", () => {
  it("shows smaller, as a JPEG", async () => {
    await using at = await harness();
    const { services, address } = await at.asks();
    await deliver(services, address, result("image", await drawn(2_000, 2_000, true)));
    expect(at.shown()).toMatchObject([{ files: [{ name: "made.jpg", contentType: "image/jpeg" }] }]);
    expect(at.shown()[0]?.text).toContain("Made smaller");
  });
});

describe("several files", () => {
  it("fit into one request together", async () => {
    await using at = await harness({ attachmentLimit: 24 * 2 ** 20 });
    const { services, address } = await at.asks();
    const [media] = result("image", await drawn(2_000, 2_000, true)).media;
    if (!media) throw new Error("There is no picture.");
    const three = [media, { ...media, name: "made-2" }, { ...media, name: "made-3" }];
    const view: ResultView = { ...result("image"), media: three };
    await deliver(services, address, view);
    const sizes = at.shown()[0]?.files.map(({ size }) => size) ?? [];
    expect(sizes).toHaveLength(3);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(DISCORD.request);
    expect(tooLarge(at.discord)).toEqual([]);
  });
});

describe("a channel where the bot may post but attach nothing", () => {
  it("keeps no message without its file: the person gets it, with the permission named", async () => {
    await using at = await harness();
    const asked = await at.asks();
    const receipt = await begin(asked);
    at.discord.passTime(TOKEN_MS);
    const api = new WithoutFiles(at.rest, at.discord.applicationId);
    api.closed = at.channel.id;
    await revise({ ...asked.services, api }, receipt, result("video"));
    expect(at.said()).toMatchObject([{ id: receipt.message, files: [] }]);
    expect(at.ann.chat({ in: at.ann.conversation })).toMatchObject([
      { text: expect.stringContaining("“Attach Files”") },
      { files: [{ name: "made.mp4" }] },
    ]);
  });
});

describe("a delivery that breaks off", () => {
  it("leaves nothing half, and no file behind", async () => {
    await using at = await harness();
    const { services, address } = await at.asks();
    await expect(deliver(services, address, broken())).rejects.toThrow("The line broke.");
    expect(at.said()).toEqual([]);
    expect(await readdir(services.host.scratch)).toEqual([]);
    await deliver(services, address, result("video"));
    expect(at.shown()).toHaveLength(1);
  });

  it("when Reelay stops likewise", async () => {
    await using at = await harness();
    const { services, address } = await at.asks();
    const stop = AbortSignal.abort(new Error("stopped"));
    await expect(deliver(services, address, result("video"), stop)).rejects.toThrow("aborted");
    expect(at.said()).toEqual([]);
    expect(await readdir(services.host.scratch)).toEqual([]);
  });

  it("while Discord is down goes on where it was", async () => {
    await using at = await harness();
    const asked = await at.asks();
    const receipt = await begin(asked);
    at.discord.passTime(TOKEN_MS);
    at.discord.fails("PATCH /channels/{channel_id}/messages/{message_id}", { kind: "internal" }, 4);
    await expect(revise(asked.services, receipt, result("video"))).rejects.toMatchObject({
      name: "NoAnswer",
    });
    const [, announced] = at.said();
    await revise(asked.services, receipt, result("video"));
    expect(at.shown()).toMatchObject([{ id: announced?.id, text: expect.stringContaining(`<@`) }]);
    expect(at.said()).toHaveLength(2);
  });
});

it("a result's nonce is one that Discord takes", () => {
  expect(`${JOB}-p`.length).toBeLessThanOrEqual(DISCORD.nonce);
});
