import { expect, it } from "vitest";
import { translator } from "../../../src/common/i18n.ts";
import { say } from "../../../src/seam/text/say.ts";
import { PLATFORMS } from "../../../src/seam/values.ts";

/** What is said of a statement that was made on a platform. */
const stated = (surface: string) =>
  say(translator("de"), { key: "privacy.stated", params: { at: 0, surface, version: "1" } });

it("calls the platforms by their names", () => {
  const said = PLATFORMS.map((name) => stated(name).split(" · ")[1]);
  expect(said).toEqual(["Seite", "Kommandozeile", "eine App", "Telegram", "Discord", "WhatsApp"]);
});
