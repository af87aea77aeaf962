import { expect, it } from "vitest";
import { begins, harness, isFilm } from "./harness.ts";

it("says of a film that was deleted that the chat still shows it, and who can delete it there", async () => {
  await using at = await harness();
  const ann = await at.regular("Ann");
  await begins(ann, "slow zoom");
  await ann.sees(isFilm);
  ann.says("/jobs");
  await ann.presses("Delete", { on: await ann.sees("slow zoom", { fresh: true }) });
  const asked = await ann.sees("Delete this for good", { fresh: true });
  await ann.presses("Delete for good", { on: asked });
  const said = await ann.sees("Deleted, here and at the service.", { fresh: true });
  expect(said.text).toContain("Still shown in the chat: only you can delete it there");
  await at.whatsapp.untilHeard();
  // That it is deleted is said once.
  expect(ann.chat().filter(({ text }) => text.startsWith("Deleted"))).toEqual([said]);
});
