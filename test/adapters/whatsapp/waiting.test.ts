import { expect, it } from "vitest";
import type { MessageBody } from "../../support/whatsapp/wire.ts";
import { begins, harness, isFilm } from "./harness.ts";

const showsFile = ({ interactive }: MessageBody) => interactive?.header !== undefined;

it("says in the list of jobs that a film is made and being brought, where WhatsApp failed to do so four times", async () => {
  await using at = await harness();
  const ann = await at.regular("Ann");
  at.whatsapp.fails("messages", { kind: "told", code: 131_000 }, 5, showsFile);
  await begins(ann, "slow zoom");
  await expect.poll(() => at.deliveries()).toEqual(["undeliverable"]);
  await at.whatsapp.untilHeard();
  ann.says("/jobs");
  expect((await ann.sees("slow zoom", { fresh: true })).text).toContain("finished, on its way to you");
  // It failed once more.
  await expect.poll(() => at.deliveries()).toEqual(["undeliverable"]);
  await at.whatsapp.untilHeard();
  ann.says("/jobs");
  await ann.sees(isFilm);
  await expect.poll(() => at.deliveries()).toEqual(["delivered"]);
  ann.says("/jobs");
  expect((await ann.sees("slow zoom", { fresh: true })).text).not.toContain("on its way");
});
