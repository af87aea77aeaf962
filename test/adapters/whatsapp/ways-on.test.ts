import { expect, it } from "vitest";
import { harness } from "./harness.ts";

it("says to a lone “edit” or “make” how something is made, and makes nothing of that word", async () => {
  await using at = await harness();
  const ann = await at.regular("Ann");
  for (const word of ["edit", "Make", "/edit", "/create"]) {
    ann.says(word);
    const told = await ann.sees("Send me a photo and a line of text", { fresh: true });
    expect(told.text).not.toContain("from the words alone");
    expect(told.buttons).toContain("📷 Send a photo");
  }
});

it("says to /report where results are reported, and what can be done with one's own", async () => {
  await using at = await harness();
  const ann = await at.regular("Ann");
  ann.says("/report");
  const told = await ann.sees("nobody else sees");
  expect(told.text).toContain("“Report”");
  expect(told.text).not.toContain("/export");
  await ann.presses("My jobs", { on: told });
  await ann.sees("Nothing here yet", { fresh: true });
});

it.each([
  ["/stop", "Nothing is being prepared here"],
  ["/menu", "You can also type"],
  ["/guthaben", "tokens"],
])("understands %s as it does without its slash", async (typed, told) => {
  await using at = await harness();
  const ann = await at.regular("Ann");
  ann.says(typed);
  expect((await ann.sees(told)).text).not.toContain(typed);
});
