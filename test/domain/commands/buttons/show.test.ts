import { expect, it, vi } from "vitest";
import { Copies } from "../../../../src/domain/jobs/delivery/copies.ts";
import { decideReport } from "../../../../src/domain/reports/report-rows.ts";
import { memory } from "../../../../src/infrastructure/storage/key-value.ts";
import { Surfaces } from "../../../../src/seam/surface/surfaces.ts";
import { ReelayError } from "../../../../src/common/errors.ts";
import { makeLogger } from "../../../../src/infrastructure/telemetry/telemetry.ts";
import type { ResultView } from "../../../../src/seam/views.ts";
import type { Origin } from "../../../../src/seam/origin.ts";
import { testSandbox } from "../../../support/sandbox.ts";
import { person } from "../../../support/surface.ts";
import {
  buttonsOf,
  harness,
  type Harness,
  isNotice,
  lastSaid,
  member,
  operator,
  told,
} from "../../reports/harness.ts";

/** Ann, who is from Telegram, on everybody's page. */
const ann: Origin = { ...person("ann", "telegram"), platform: "web" };

/** Has a picture made on the page. Returns its job, once its outcome was told. */
async function madeOnPage({ page, database }: Harness, who = ann): Promise<string> {
  await page.intake.command(who, "image", { prompt: "a lighthouse" });
  const [result] = await page.results(1);
  const job = result?.job.id ?? "";
  await told({ database }, job);
  return job;
}

/** What the button says that makes it once more. */
const againOf = (view: ResultView | undefined) =>
  view?.actions.find(({ token }) => token.startsWith("new-seed:"))?.label;

const chatShows = ({ surface }: Harness) => surface.messages.map(({ views }) => views.at(-1));

it("is offered under what somebody from a chat made on the page, and under nothing else", async () => {
  await using sandbox = await testSandbox();
  await using core = await harness(sandbox);
  await madeOnPage(core);
  await core.surface.intake.command(person("ann", "telegram"), "image", { prompt: "waves" });
  await core.page.intake.command(operator, "image", { prompt: "waves" });
  const shown = [...(await core.page.results(2)), ...(await core.surface.results(1))];
  expect(shown.map((view) => buttonsOf(view).includes("send"))).toEqual([true, false, false]);
});

it("posts the result in their chat once, with the buttons that it has there, and says so", async () => {
  await using sandbox = await testSandbox();
  await using core = await harness(sandbox);
  const job = await madeOnPage(core);
  await Promise.all([core.page.intake.act(ann, `send:${job}`), core.page.intake.act(ann, `send:${job}`)]);
  expect(lastSaid(core.page)).toBe("send.done");
  const [copy] = await core.surface.results(1);
  expect(chatShows(core)).toHaveLength(1);
  expect(core.surface.messages[0]?.address).toEqual({ to: "telegram:ann" });
  expect(core.surface.messages[0]?.files[0]?.length).toBeGreaterThan(100);
  expect(buttonsOf(copy)).toEqual(["new-seed", "go-on", "change", "details", "delete"]);
});

it("costs what it says in the chat, too", async () => {
  await using sandbox = await testSandbox();
  await using core = await harness(sandbox);
  const job = await madeOnPage(core);
  await core.page.intake.act(ann, `send:${job}`);
  const [there] = await core.surface.results(1);
  const [here] = core.page.showing("result");
  expect(againOf(there)).toMatchObject({ params: { tokens: expect.any(Number) } });
  expect(againOf(there)).toEqual(againOf(here));
});

it("is the same one when it is asked for later, so that one that was deleted there comes back", async () => {
  await using sandbox = await testSandbox();
  await using core = await harness(sandbox);
  const job = await madeOnPage(core);
  const delivered = vi.spyOn(core.surface, "deliver");
  await core.page.intake.act(ann, `send:${job}`);
  await core.page.intake.act(ann, `send:${job}`);
  expect(delivered).toHaveBeenCalledOnce();
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 11_000 });
  await core.page.intake.act(ann, `send:${job}`).finally(() => vi.useRealTimers());
  const names = delivered.mock.calls.map(([, view]) => ("job" in view ? view.job?.id : undefined));
  expect(names).toHaveLength(2);
  expect(new Set(names).size).toBe(1);
  expect(await memory(core.database, "copies").get(job)).toMatchObject({ copies: [{ name: names[0] }] });
});

it("is one message however often its answer is lost, and is found there when its job is deleted", async () => {
  await using sandbox = await testSandbox();
  await using core = await harness(sandbox);
  const job = await madeOnPage(core);
  const revise = core.surface.revise.bind(core.surface);
  const lost = vi.spyOn(core.surface, "revise").mockImplementation(async (...parameters) => {
    const receipt = await revise(...parameters);
    if (parameters[1].kind === "progress") return receipt;
    throw new ReelayError("not_posted");
  });
  await core.page.intake.act(ann, `send:${job}`);
  await core.page.intake.act(ann, `send:${job}`);
  expect(lastSaid(core.page)).toBe("not_posted");
  const [message] = core.surface.messages;
  expect(message?.views.map(({ kind }) => kind)).toEqual([
    "progress",
    "result",
    "notice",
    "result",
    "notice",
  ]);
  expect(isNotice(message?.views.at(-1), "send.failed")).toBe(true);
  lost.mockImplementation(revise);
  await core.surface.intake.act(person("ann", "telegram"), `delete-now:${job}`);
  expect(core.surface.showing("result")).toEqual([]);
  expect(isNotice(message?.views.at(-1), "job.deleted")).toBe(true);
});

it("comes in the place where it could not be brought first", async () => {
  await using sandbox = await testSandbox();
  await using core = await harness(sandbox);
  const job = await madeOnPage(core);
  const refused = vi.fn<() => Promise<never>>(() => Promise.reject(new ReelayError("not_posted")));
  core.surface.beforePost = (view) => (view.kind === "result" ? refused() : undefined);
  await core.page.intake.act(ann, `send:${job}`);
  expect(isNotice(chatShows(core)[0], "send.failed")).toBe(true);
  expect(refused).toHaveBeenCalledOnce();
  core.surface.beforePost = () => {};
  await core.page.intake.act(ann, `send:${job}`);
  expect(chatShows(core).map((view) => view?.kind)).toEqual(["result"]);
  expect(lastSaid(core.page)).toBe("send.done");
});

it("goes when the job is deleted while it is on its way", async () => {
  await using sandbox = await testSandbox();
  await using core = await harness(sandbox);
  const job = await madeOnPage(core);
  const deliver = core.surface.deliver.bind(core.surface);
  core.surface.deliver = async (...parameters) => {
    const receipt = await deliver(...parameters);
    await core.page.intake.act(ann, `delete-now:${job}`);
    return receipt;
  };
  await core.page.intake.act(ann, `send:${job}`);
  expect(isNotice(chatShows(core)[0], "job.deleted")).toBe(true);
  expect(lastSaid(core.page)).toBe("stale_button");
});

it("leaves neither when it is deleted, from either of both", async () => {
  await using sandbox = await testSandbox();
  await using core = await harness(sandbox);
  const job = await madeOnPage(core);
  await core.page.intake.act(ann, `send:${job}`);
  await core.surface.intake.act(person("ann", "telegram"), `delete-now:${job}`);
  expect(isNotice(chatShows(core)[0], "job.deleted")).toBe(true);
  expect(isNotice(core.page.messages[0]?.views.at(-1), "job.deleted")).toBe(true);
});

it("comes down with its job", async () => {
  await using sandbox = await testSandbox();
  await using core = await harness(sandbox);
  const job = await madeOnPage(core);
  await core.page.intake.act(ann, `send:${job}`);
  // It was flagged when it was examined, and left as it is.
  const decision = { state: "settled", at: Date.now(), by: operator.user, role: "operator" } as const;
  await decideReport(core.database.kysely, job, decision);
  await core.page.intake.act(operator, `withhold:${job}`);
  await core.surface.until(() => isNotice(chatShows(core)[0], "report.withheld"));
  await core.page.intake.act(ann, `send:${job}`);
  expect(lastSaid(core.page)).toBe("result_withheld");
  expect(chatShows(core)).toHaveLength(1);
});

it("is nobody else's to send, and not the operator's", async () => {
  await using sandbox = await testSandbox();
  await using core = await harness(sandbox);
  const job = await madeOnPage(core);
  await core.page.intake.act({ ...ann, user: "telegram:ben" }, `send:${job}`);
  expect(lastSaid(core.page)).toBe("not_yours");
  expect(core.surface.messages).toEqual([]);
});

it("says what to do where the chat takes nothing", async () => {
  await using sandbox = await testSandbox();
  await using core = await harness(sandbox);
  const job = await madeOnPage(core);
  core.surface.reach = () => Promise.reject(new ReelayError("undeliverable"));
  await core.page.intake.act(ann, `send:${job}`);
  expect(lastSaid(core.page)).toBe("chat_closed");
});

it("shows again where it is asked for, whatever platform it was made on", async () => {
  await using sandbox = await testSandbox();
  await using core = await harness(sandbox);
  const job = await madeOnPage(core);
  await core.surface.intake.act(person("ann", "telegram"), `show:${job}`);
  expect(chatShows(core).map((view) => view?.kind)).toEqual(["result"]);
  await core.surface.intake.command(person("ann", "telegram"), "image", { prompt: "waves" });
  const other = (await core.surface.results(2)).at(-1)?.job.id ?? "";
  await told(core, other);
  await core.page.intake.act(ann, `show:${other}`);
  expect(core.page.messages.at(-1)?.files[0]?.length).toBeGreaterThan(100);
  expect(core.page.showing("result")).toHaveLength(2);
});

it("shows once what is pressed for again before it is there, and says nothing about that", async () => {
  await using sandbox = await testSandbox();
  await using core = await harness(sandbox);
  const at = person("ann", "telegram");
  await core.surface.intake.command(at, "image", { prompt: "waves" });
  const id = (await core.surface.results(1))[0]?.job.id ?? "";
  await told(core, id);
  const held = Promise.withResolvers<void>();
  const revise = core.surface.revise.bind(core.surface);
  vi.spyOn(core.surface, "revise").mockImplementationOnce(async (...args) => {
    await held.promise;
    return revise(...args);
  });
  await core.surface.intake.act(at, `show:${id}`);
  const again = core.surface.intake.act(at, `show:${id}`);
  held.resolve();
  await again;
  await told(core, id);
  const views = core.surface.messages.flatMap((message) => message.views);
  expect(views.filter(({ kind }) => kind === "problem")).toEqual([]);
  expect(views.filter(({ kind }) => kind === "result")).toHaveLength(2);
});

it("shows nobody's private result in a group", async () => {
  await using sandbox = await testSandbox();
  await using core = await harness(sandbox);
  const job = await madeOnPage(core);
  await core.surface.intake.act(member("ann"), `show:${job}`);
  expect(core.surface.messages.map(({ address }) => address)).toEqual([{ to: "telegram:ann" }]);
});

it("is forgotten with its person", async () => {
  await using sandbox = await testSandbox();
  await using core = await harness(sandbox);
  const job = await madeOnPage(core);
  await core.page.intake.act(ann, `send:${job}`);
  const kept = memory(core.database, "copies");
  expect(await kept.get(job)).toMatchObject({ user: "telegram:ann" });
  const copies = new Copies(kept, new Surfaces([core.surface], []), makeLogger({ level: "silent" }));
  await copies.forget("telegram:ben");
  expect(await kept.entries()).toHaveLength(1);
  await copies.forget("telegram:ann");
  expect(await kept.entries()).toEqual([]);
});
