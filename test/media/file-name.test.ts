import { expect, it } from "vitest";
import { fileName } from "../../src/media/file-name.ts";

it.each([
  ["video/mp4", "clip.mp4"],
  ["image/png", "clip.png"],
  ["image/jpeg", "clip.jpg"],
  ["image/webp", "clip.webp"],
  ["IMAGE/PNG; charset=binary", "clip.png"],
  ["text/html", "clip.bin"],
  ["", "clip.bin"],
])("a file of the type %j is called %s", (type, name) => {
  expect(fileName("clip", type)).toBe(name);
});
