import { expect, it } from "vitest";
import { fileName } from "../../../../src/infrastructure/media/files/file-name.ts";

it.each([
  ["video", "video/mp4", "it.mp4"],
  ["image", "image/png", "it.png"],
  ["image", "image/jpeg", "it.jpg"],
  ["image", "image/webp", "it.webp"],
  ["image", "IMAGE/PNG; charset=binary", "it.png"],
  ["video", "application/octet-stream", "it.mp4"],
  ["image", "", "it.png"],
] as const)("a %s of the type %j is called %s", (kind, type, name) => {
  expect(fileName({ name: "it", kind }, type)).toBe(name);
});
