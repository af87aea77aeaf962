import { describe, it, type TestContext } from "vitest";
import type { Fault } from "../../support/whatsapp/faults.ts";
import { USUAL } from "../../support/whatsapp/liberties.ts";
import type { RefusalCode } from "../../support/whatsapp/refusal.ts";
import type { MessageBody } from "../../support/whatsapp/wire.ts";
import { begins, harness, held, isFilm } from "./harness.ts";

/** A film that is made, and not told of yet. Several are at once, so that each test waits with an `expect` of its own. */
async function made({ expect }: Pick<TestContext, "expect">, options: Parameters<typeof harness>[0] = {}) {
  const { render, release } = held();
  const at = await harness({ render, ...options });
  const ann = await at.regular("Ann");
  const sent = await begins(ann, "slow zoom");
  await ann.until(() => ann.chat().find(({ id }) => id === sent.id)?.reaction === "⏳");
  await expect.poll(async () => (await at.sandbox.ledger()).submissions.length).toBe(1);
  // Whatever is said of the beginning is said by then.
  await at.whatsapp.untilHeard();
  return { ...at, at, ann, sent, release, [Symbol.asyncDispose]: () => at[Symbol.asyncDispose]() };
}

/** Whether a call sends the film: as a message, or as what stands above buttons. */
const showsFilm = ({ video, document, interactive }: MessageBody) =>
  (video ?? document ?? interactive?.header?.video ?? interactive?.header?.document) !== undefined;

const films = ({ ann }: Awaited<ReturnType<typeof made>>) => ann.chat().filter(isFilm);

describe.concurrent("what becomes of a film when WhatsApp fails", () => {
  it.for<[what: string, fault: Fault]>([
    ["too fast for one person (131056)", { kind: "code", code: 131056 }],
    ["too fast for all (130429)", { kind: "code", code: 130429 }],
    ["something went wrong (131000)", { kind: "code", code: 131000 }],
    ["service unavailable (131016)", { kind: "code", code: 131016 }],
    ["the Graph API's own trouble (2)", { kind: "code", code: 2 }],
    ["an internal error", { kind: "internal" }],
    ["a proxy's page", { kind: "bad gateway" }],
    ["a connection that breaks before", { kind: "reset before" }],
    ["a connection that breaks after", { kind: "reset after" }],
    ["WhatsApp's own trouble after it was taken", { kind: "internal after" }],
    ["told later that something went wrong (131000)", { kind: "told", code: 131000 }],
  ])("arrives once after %s", async ([, fault], { expect }) => {
    await using on = await made({ expect });
    on.whatsapp.fails("messages", fault, 1, showsFilm);
    on.release();
    await on.ann.sees(isFilm);
    await on.whatsapp.untilHeard();
    await expect.poll(() => on.at.deliveries()).toEqual(["delivered"]);
    expect(films(on)).toHaveLength(1);
  });

  it("is told to have been too fast (130429) three times, and is let rest longer each time", async ({
    expect,
  }) => {
    const pace = { perSecond: 1_000, burst: 1_000, perPersonMs: 50, lostMs: 5_000 };
    await using on = await made({ expect }, { pace });
    on.whatsapp.fails("messages", { kind: "told", code: 130429 }, 3, showsFilm);
    on.release();
    await on.ann.sees(isFilm);
    const times = on.whatsapp.calls("messages").flatMap(({ at, body }) => (showsFilm(body) ? [at] : []));
    expect(times).toHaveLength(4);
    const rests = times.slice(1).map((at, nth) => at - (times[nth] ?? Number.NaN));
    for (const [nth, rest] of rests.entries()) expect(rest).toBeGreaterThanOrEqual(50 * 4 ** nth);
  });

  it.for(["messages", "upload"] as const)(
    "arrives once after several failures of %s",
    async (route, { expect }) => {
      await using on = await made({ expect });
      on.whatsapp.fails(route, { kind: "bad gateway" }, 2, route === "messages" ? showsFilm : undefined);
      on.release();
      await on.ann.sees(isFilm);
      expect(films(on)).toHaveLength(1);
    },
  );

  it.for([true, false])(
    "comes as a document where it does not play (131053), told at once: %s",
    async (atOnce, { expect }) => {
      await using on = await made({ expect }, atOnce ? { liberties: { ...USUAL, refuses: "at once" } } : {});
      on.whatsapp.fails("messages", { kind: atOnce ? "code" : "told", code: 131053 }, 1, showsFilm);
      on.release();
      await on.ann.sees(isFilm);
      const last = on.whatsapp.calls("messages").findLast(({ body }) => showsFilm(body));
      expect(last?.body.interactive?.header?.type ?? last?.body.type).toBe("document");
      expect(films(on)).toHaveLength(1);
    },
  );

  it.for<[what: string, code: RefusalCode, kind: "code" | "told"]>([
    ["the window is closed (131047), at once", 131047, "code"],
    ["the window is closed (131047), told later", 131047, "told"],
    ["it cannot be delivered (131026), at once", 131026, "code"],
    ["it cannot be delivered (131026), told later", 131026, "told"],
  ])("waits for the next word where %s", async ([, code, kind], { expect }) => {
    await using on = await made({ expect });
    on.whatsapp.fails("messages", { kind, code }, 1, showsFilm);
    on.release();
    await expect.poll(() => on.at.deliveries()).toEqual(["undeliverable"]);
    expect(films(on)).toHaveLength(0);
    on.ann.says("/balance");
    await on.ann.sees(isFilm);
    await on.whatsapp.untilHeard();
    await expect.poll(() => on.at.deliveries()).toEqual(["delivered"]);
    expect(films(on)).toHaveLength(1);
    expect((await on.sandbox.ledger()).submissions).toHaveLength(1);
  });

  it("is not ready while the token is refused (190), loses nothing, and brings it with the next token", async ({
    expect,
  }) => {
    await using on = await made({ expect });
    on.whatsapp.revokes();
    on.release();
    await expect.poll(() => on.at.adapter.surface.ready()).toBe(false);
    expect(await on.at.deliveries()).not.toContain("undeliverable");
    on.whatsapp.renews();
    await on.ann.sees(isFilm);
    expect(on.at.adapter.surface.ready()).toBe(true);
    expect(films(on)).toHaveLength(1);
  });
});

describe.concurrent("what becomes of a photo when WhatsApp's files fail", () => {
  it.for([
    ["a broken connection", { kind: "reset" }],
    ["half of it", { kind: "cut" }],
    ["a failure", { kind: "status", status: 503 }],
  ] as const)("is fetched again after %s", async ([, trouble], { expect }) => {
    await using at = await harness();
    const ann = await at.regular("Ann");
    at.whatsapp.filesFail(trouble);
    await begins(ann, "slow zoom");
    expect((await ann.sees(isFilm)).from).toBe("bot");
  });

  it("is asked for anew where its five minutes are over", async ({ expect }) => {
    await using at = await harness({ liberties: { ...USUAL, firstLink: "expired" } });
    const ann = await at.regular("Ann");
    await begins(ann, "slow zoom");
    expect((await ann.sees(isFilm)).from).toBe("bot");
  });
});
