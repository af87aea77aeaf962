import { describe, expect, it } from "vitest";
import { likelyKeyIn, withoutEnds } from "../../../src/common/likely-key.ts";
import { keptName } from "../../../src/seam/text/kept-name.ts";
import { ownSecretIn } from "../../../src/common/own-secrets.ts";
import { insteadOf, isSayable, keyBehind, saidKeyIn } from "../../../src/common/said-key.ts";
import { makeToken } from "../../../src/domain/partners/tokens.ts";
import { drawn, KEY_SHAPES, PLAIN_SHAPES } from "../../support/keys.ts";

/** So many characters, with surprises at their beginning. */
const surprising = (surprises: number, length: number) =>
  Array.from({ length }, (_, i) => (Math.min(i, surprises) % 2 === 0 ? "e" : "1")).join("");

const isLikely = (token: string) => likelyKeyIn(token) === token;

describe("a likely key", () => {
  it.each(Object.entries(KEY_SHAPES))("%s, is found alone, among words and over lines", (shape, make) => {
    const draw = drawn(shape);
    const keys = Array.from({ length: 50 }, () => make(draw));
    for (const put of [
      (key: string) => key,
      (key: string) => `please use ${key}, thanks`,
      (key: string) => `"${key}"`,
      (key: string) => `key=${key}`,
      (key: string) => `${key.slice(0, 17)}\n${key.slice(17)}`,
    ]) {
      const missed = keys.filter((key) => likelyKeyIn(put(key)) === undefined);
      expect(missed.length, put("<key>")).toBeLessThanOrEqual(2);
    }
  });

  it.each([
    "slow waves on a beach at sunset",
    "Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz",
    "Donaudampfschifffahrtsgesellschaftskapitänsmütze",
    "Llanfairpwllgwyngyllgogerychwyrndrobwllllantysiliogogoch at dawn",
    "Konstantynopolitańczykowianeczka",
    "epäjärjestelmällistyttämättömyydelläänsäkään",
    "IMG_20240101_123456.jpg",
    "DSC_0001_HDR_4K60fps_v2_final",
    "PXL_20231105_081530123.MP",
    "https://example.org/f47ac10b-58cc-4372-a567-0e02b2c3d479?sig=9f86d081884c7d659a2feaa0c55ad015",
    "f47ac10b-58cc-4372-a567-0e02b2c3d479",
    "example.org/assets/9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822c",
    "example.org/sig=9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822c",
    "#SunsetVibes2024ForeverAndEver99",
    "@some_very_long_user_name_2024_xyz",
    "seed 1234567890123456789012",
    "--ar 16:9 --v 5.2 --seed 123456789 --stylize 750",
    "#ff00aa #00ffee rgba(12,34,56,0.7)",
    "2-(acetyloxy)benzoic acid, 4'-hydroxyacetanilide",
    "3,4-methylenedioxymethamphetamine molecule",
    "getElementsByClassName(document.querySelectorAll)",
    "const cameraPositionVector3 = new THREE.Vector3(0,1,2)",
    "sdxl_1.0_vae_fp16_fix masterpiece 8k uhd",
    "🌊🌊🌊🌅✨ waves ✨🌅",
    "海の波がゆっくりと砂浜に打ち寄せる夕暮れ",
    "медленныеволнынапляженазакатесолнца",
    "hahahahahahahahahahahahahaha",
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAHHHHHH",
    "----------------------------------------",
    "0.5,0.25,0.125,0.0625,0.03125,0.015625",
  ])("is none in: %s", (text) => {
    expect(likelyKeyIn(text)).toBeUndefined();
  });

  it("is of 12 characters and more where it is all that is said", () => {
    const draw = drawn("alone");
    const keys = Array.from({ length: 50 }, () => PLAIN_SHAPES["base62, 16"]?.(draw) ?? "");
    expect(keys.filter((key) => likelyKeyIn(` ${key}\n`) === undefined).length).toBeLessThanOrEqual(5);
    expect(keys.filter((key) => likelyKeyIn(`slow zoom ${key} please`) !== undefined)).toEqual([]);
    expect(["1e1e1e1e1e1", "1e1e1e1e1e1e"].map(isLikely)).toEqual([false, true]);
  });

  it.each([
    "iPhone15ProMax",
    "x-men97s1e3",
    "McDonaldsDriveThru",
    "LoL2024S14Worlds",
    "DSC_0001234567",
    "2024-11-29T14:00",
  ])("is none where all that is said is %s", (text) => expect(likelyKeyIn(text)).toBeUndefined());

  it("is of 20 to 512 characters, with surprises in six places and in 24 of 100", () => {
    expect([surprising(6, 19), surprising(6, 20)].map(isLikely)).toEqual([false, true]);
    expect(["e1".repeat(256), `${"e1".repeat(256)}e`].map(isLikely)).toEqual([true, false]);
    expect([surprising(5, 20), surprising(6, 20)].map(isLikely)).toEqual([false, true]);
    expect([surprising(6, 26), surprising(6, 27)].map(isLikely)).toEqual([true, false]);
  });

  it("may stand in lines as long as a terminal's, behind a name in a token of 1,024, and in pieces of five", () => {
    const key = surprising(6, 20);
    expect(likelyKeyIn(`${key.slice(0, 16)}\n${key.slice(16)}`)).toBe(key);
    expect(likelyKeyIn(`${key.slice(0, 15)}\n${key.slice(15)}`)).toBeUndefined();
    expect(likelyKeyIn(`${"e".repeat(1_003)}=${key}`)).toBe(key);
    expect(likelyKeyIn(`${"e".repeat(1_004)}=${key}`)).toBeUndefined();
    expect(likelyKeyIn(Array(5).fill("e1e1").join("-"))).toBeUndefined();
    expect(likelyKeyIn(Array(5).fill("e1e1e").join("-"))).toBeDefined();
  });

  it.each(["with a colon", "with dots", "base64", "with a prefix"])(
    "%s, is found whole among words",
    (shape) => {
      const key = KEY_SHAPES[shape]?.(drawn(shape)) ?? "";
      expect(likelyKeyIn(`use ${key} now`)).toBe(key);
    },
  );

  it.each(["e0", "e9", "eA", "eZ"])("goes by all digits and capitals: %s", (pair) => {
    expect(likelyKeyIn(pair.repeat(10))).toBe(pair.repeat(10));
  });

  // Only the second follows the first in no word.
  it.each(
    "axe bme cde dhe fbe gce hbe iye jbe kbe lhe mce nre oqu pbe qae rxe sde tbe uxe vbe wbe xbe yhe zfe".split(
      " ",
    ),
  )("goes by letters that follow each other in no word: %s", (three) => {
    expect(likelyKeyIn(three.repeat(8))).toBe(three.repeat(8));
  });
});

describe("the name of a file", () => {
  it.each(Object.entries(KEY_SHAPES))("is not kept where it may be a key: %s", (shape, make) => {
    const draw = drawn(shape);
    const keys = Array.from({ length: 50 }, () => make(draw));
    for (const put of [
      (key: string) => `${key}.jpg`,
      (key: string) => `${key}.final.JPEG`,
      (key: string) => `my key ${key} (1).png`,
      (key: string) => `${key}.jpeg (1)`,
      (key: string) => `copy of ${key}`,
    ]) {
      const missed = keys.filter((key) => keptName(put(key)) === put(key));
      expect(missed.length, put("<key>")).toBeLessThanOrEqual(2);
    }
    expect(keptName("9f86d081884c7d659a2feaa0c55ad015.jpg")).toBe("file.jpg");
  });

  it.each([
    "IMG_20240101_123456.jpg",
    "Rindfleischetikettierungsüberwachung.final.png",
    "f47ac10b-58cc-4372-a567-0e02b2c3d479.webp",
    "WhatsApp Image 2024-01-01 at 12.00.00.jpeg",
    "Screenshot_20240101-123456_Chrome.jpg",
    "waves",
    "",
  ])("is kept where it is none: %s", (name) => {
    expect(keptName(name)).toBe(name);
  });

  it("is looked at without its ends", () => {
    expect(["a.tar.gz", "a b.jpg (1)", "a.jpg", "a", "v1.5"].map(withoutEnds)).toEqual([
      "a",
      "a b (1)",
      "a",
      "a",
      "v1.5",
    ]);
  });
});

describe("a key that somebody says is one", () => {
  it.each([
    ["my key is k3y-Wq81", "k3y-Wq81"],
    ["My API key is: `Ab12-cd34`.", "Ab12-cd34"],
    ["here is my token: correct-horse-battery-staple", "correct-horse-battery-staple"],
    ["mein Schlüssel ist Wq81zz-x", "Wq81zz-x"],
    ["Mein API-Schlüssel lautet „Wq81zz-x“", "Wq81zz-x"],
    ["mój klucz to Wq81zz-x", "Wq81zz-x"],
    ["klucz API: Wq81zz-x!", "Wq81zz-x"],
    ["api_key=Wq81zz-x", "Wq81zz-x"],
    ["connect Wq81zz-x", "Wq81zz-x"],
    ["verbinde mich mit Wq81zz-x", "Wq81zz-x"],
    ["połącz Wq81zz-x", "Wq81zz-x"],
    ["X-API-Key: Wq81zz-x", "Wq81zz-x"],
    ["Bearer 123456789012", "123456789012"],
  ])("is found in: %s", (text, key) => {
    expect(saidKeyIn(text)).toBe(key);
  });

  it.each([
    "the key is important here",
    "my key is underneath the doormat",
    "a golden key lies on the table",
    "a pianist hits the key beautifully",
    "der Schlüssel ist verschwunden",
    "klucz jest przekręcany w zamku",
    "connect the landscape with the sky",
    "token: #sunset2024",
    "keyboard keys in macro",
    "low key lighting, high-key portrait",
  ])("is none in: %s", (text) => {
    expect(saidKeyIn(text)).toBeUndefined();
  });

  it("stands behind a command that was meant to connect, whatever it looks like, if it is one word", () => {
    expect(keyBehind(" justletters ")).toBe("justletters");
    expect(keyBehind("two words")).toBeUndefined();
    expect(keyBehind("short")).toBeUndefined();
    expect(isSayable("justletters")).toBe(false);
    expect(isSayable("just1letters")).toBe(true);
  });
});

describe("what is given as a key", () => {
  it("is told what it has that no key has, unless it may be one", () => {
    for (const key of ["a", "a-key", '"half', "it's", "k=v;w", "~!@#$%^&*()"])
      expect(insteadOf(key), key).toBeUndefined();
    for (const key of ['"a-key"', "'a-key'", "`a-key`", "„a-key“", "«a-key»", "“Bearer a-key”"])
      expect(insteadOf(key), key).toBe("wanted.key_unquoted");
    for (const key of ["Bearer a-key", "X-API-Key: a-key", "a-key\nanother", "a-key\u00a0x"])
      expect(insteadOf(key), key).toBe("wanted.key_alone");
    for (const key of ["a-kéy", "а-key", "a-key\u200b", "a-key\u0007"])
      expect(insteadOf(key), key).toBe("wanted.key_plain");
  });
});

describe("a secret of our own making", () => {
  it("is known by its shape", () => {
    for (const test of [false, true]) {
      const { token } = makeToken("acme", { scopes: ["jobs:read"], test }, 0);
      expect(ownSecretIn(`use ${token}.`)).toBe(token);
    }
    expect(ownSecretIn("rly_acme is our partner")).toBeUndefined();
  });
});
