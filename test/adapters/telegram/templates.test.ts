import { describe, expect, it } from "vitest";
import { testPicture } from "../../support/sandbox.ts";
import type { Person } from "../../support/telegram/person.ts";
import { harness } from "./words-harness.ts";

/** Whether somebody is offered the category that is for adults only. */
async function showsAdults(person: Person): Promise<boolean> {
  person.says("/templates");
  await person.presses("Templates for videos");
  const { buttons } = await person.sees("Templates for videos", { fresh: true });
  return buttons.flat().some((label) => label.startsWith("After dark"));
}

describe("/templates", () => {
  it("leads by categories and pages to a card and on to a draft, in one message", async () => {
    await using on = await harness();
    const ann = on.telegram.person({ name: "Ann" });
    ann.says("/templates");
    const opened = await ann.sees("ready-made looks");
    await ann.presses("Templates for videos");
    await ann.presses(/^All \(\d+\)$/);
    await ann.sees(/page 1 of \d/);
    await ann.presses("Next ▶");
    await ann.sees(/page 2 of \d/);
    await ann.presses("◀ Previous");
    await ann.presses("‹ Back");
    await ann.presses(/^Camera \(\d+\)$/);
    await ann.sees(/^Camera, page 1/);
    await ann.presses(/Slow zoom/);
    const card = await ann.sees("Category: Camera");
    expect(card.id).toBe(opened.id);
    await ann.presses("Use it: Photo to video");
    expect((await ann.sees("Template: Slow zoom")).text).toContain("Send the photo.");
  });

  it("takes a variant along", async () => {
    await using on = await harness();
    const ann = on.telegram.person({ name: "Ann" });
    ann.says("/templates slow portrait");
    await ann.presses("Slow portrait");
    await ann.presses("Black and white");
    await ann.sees("Slow portrait · Black and white");
    await ann.presses("✓ Black and white");
    await ann.presses("Cool");
    expect((await ann.sees("Slow portrait · Cool")).buttons.flat()).not.toContain("Cool");
    await ann.presses("Use it: Longer video from pictures");
    await ann.sees(/^Longer video from pictures\n.*Template: Slow portrait\nVariant: Cool\n/s);
  });

  it("searches for words that are asked for, and says where there is nothing", async () => {
    await using on = await harness();
    const ann = on.telegram.person({ name: "Ann" });
    ann.says("/templates");
    await ann.presses("🔍 Search");
    await ann.sees("What are you looking for?");
    ann.says("golden hour");
    await ann.sees("Found for “golden hour”");
    await ann.presses(/Golden hour/);
    await ann.sees("Category: Light");
    await ann.presses("‹ Back");
    await ann.sees("Found for “golden hour”", { fresh: true });
    ann.says("/templates qwertyuiop");
    await ann.sees("Nothing found.");
    await ann.presses("‹ Back");
    expect((await ann.sees("ready-made looks", { fresh: true })).history).toHaveLength(1);
  });

  it("shows new and featured ones with their marks", async () => {
    await using on = await harness();
    const ann = on.telegram.person({ name: "Ann" });
    ann.says("/templates");
    await ann.presses("🆕 New and featured");
    const list = await ann.sees("New and featured, page 1");
    const entries = list.buttons.flat().filter((label) => !/Next|Back/.test(label));
    expect(entries.length).toBeGreaterThan(2);
    for (const label of entries) expect(label).toMatch(/^(🆕|⭐)/u);
  });

  it("of somebody else in a group is not to be turned", async () => {
    await using on = await harness();
    const group = on.telegram.group({ title: "Friends" });
    const ann = on.telegram.person({ name: "Ann" }).in(group);
    const ben = on.telegram.person({ name: "Ben" }).in(group);
    ann.says("/templates@reelay_bot");
    await ann.sees("ready-made looks");
    await ben.presses("Templates for videos");
    expect((await ben.hears("This belongs to somebody else")).alert).toBe(true);
    await ann.presses("Templates for videos");
    await ann.sees(/^Templates for videos$/);
  });

  it("goes on after a restart", async () => {
    await using on = await harness();
    const ann = on.telegram.person({ name: "Ann" });
    ann.says("/templates slow portrait");
    await ann.sees("Found for “slow portrait”");
    await on.restart();
    await ann.presses("Slow portrait");
    await ann.sees("Category: Portrait");
    await on.restart();
    await ann.presses("Use it: Longer video from a photo");
    expect((await ann.sees("Template: Slow portrait")).text).toMatch(/^Longer video from a photo/);
  });

  it("shows what is for adults to those only who said that they are, and in private", async () => {
    await using on = await harness({ settings: { REELAY_FULL_CATALOG: "private" } });
    const ann = on.telegram.person({ name: "Ann" });
    const group = on.telegram.group({ title: "Friends" });
    expect(await showsAdults(ann)).toBe(false);
    ann.says("/adult");
    await ann.presses("I am 18 or older");
    await ann.sees("Noted.");
    expect(await showsAdults(ann)).toBe(true);
    expect(await showsAdults(ann.in(group))).toBe(false);
    const { results } = await ann.asksInline("after dark");
    expect(results).toEqual([]);
  });

  it("/models is the same for what draws pictures", async () => {
    await using on = await harness();
    const ann = on.telegram.person({ name: "Ann" });
    ann.says("/models");
    await ann.presses("Picture models");
    expect((await ann.sees(/^Picture models, page 1/)).buttons.flat()).toContain("‹ Back");
    await ann.presses((button) => button.callback_data?.startsWith("~t:e.") ?? false);
    await ann.presses("Use it: Picture from words");
    await ann.sees(/^Picture from words\n.*Model: /s);
  });
});

describe("a template that is shared", () => {
  it("is found by inline mode and opens a draft for whoever presses it", async () => {
    await using on = await harness();
    const ann = on.telegram.person({ name: "Ann" });
    const ben = on.telegram.person({ name: "Ben" });
    const group = on.telegram.group({ title: "Friends" });
    const found = await ann.in(group).asksInline("slow zoom");
    const [first] = found.results;
    expect(first).toMatchObject({ type: "article", title: expect.stringContaining("Slow zoom") });
    ann.in(group).chooses(first!);
    await ben.in(group).presses("✨ Use this template");
    await ben.sees("Template: Slow zoom");
    expect(
      ann
        .in(group)
        .chat()
        .filter(({ from, message }) => from === "bot" && !message.via_bot),
    ).toHaveLength(1);
  });

  it("becomes a video of whoever opened it", async () => {
    await using on = await harness();
    const ann = await on.regular({ name: "Ann" });
    ann.says("/start t_slow-zoom");
    await ann.sees("Send the photo.");
    await ann.sendsPhoto(Buffer.from(await testPicture(), "base64"));
    await ann.presses(/Generate/);
    const made = await ann.sees(({ media }) => media?.kind === "video");
    expect(made.buttons.flat()).toContainEqual(expect.stringMatching(/^New variation · \d/));
  });

  it("is listed by fifties, new and featured ones first", async () => {
    await using on = await harness();
    const ann = on.telegram.person({ name: "Ann" });
    const { results, next_offset } = await ann.asksInline("");
    expect(results).toHaveLength(50);
    expect(next_offset).toBe("50");
    expect(JSON.stringify(results[0])).toMatch(/🆕|⭐/u);
    expect(JSON.stringify(results[49])).not.toMatch(/🆕|⭐/u);
  });

  it("may be named by its own id, and may be gone", async () => {
    await using on = await harness();
    const ann = on.telegram.person({ name: "Ann" });
    ann.says("/start t_slow-zoom");
    await ann.sees("Template: Slow zoom");
    ann.says("/start t_gone");
    expect((await ann.sees("no longer there")).buttons.flat()).toContain("🔍 Search");
    await ann.presses("Templates for pictures");
  });

  it("waits for a key where nobody pays", async () => {
    await using on = await harness({ paid: false });
    const ann = on.telegram.person({ name: "Ann" });
    const { results, button } = await ann.asksInline("slow");
    expect(results).toEqual([]);
    expect(button).toMatchObject({ start_parameter: "connect" });
    ann.says("/templates");
    await ann.presses("Templates for videos");
    await ann.sees("No key is connected yet.");
  });
});
