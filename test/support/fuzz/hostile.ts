import type { Json } from "../../../src/common/json.ts";
import { chance, type Draw, pick } from "./values.ts";

/** Texts that break what takes them for granted. */
const TEXTS: readonly string[] = [
  "",
  " ",
  "\0",
  "null",
  "0",
  "-1",
  "1e999",
  "NaN",
  "true",
  "../../etc/passwd",
  "..",
  "%00",
  "%ff%fe",
  "a\r\nb: c",
  "'; drop table jobs; --",
  "{{7*7}} ${7*7} <script>alert(1)</script>",
  "__proto__",
  "constructor",
  "toString",
  "\uD800",
  "\u202E\u0000\uFEFF",
  "ﷺ".repeat(50),
  "👨‍👩‍👧‍👦".repeat(20),
  "İıſK",
  "a\u0301".repeat(100),
  "file:///etc/passwd",
  "javascript:alert(1)",
  "data:image/png;base64,AAAA",
  "data:text/html,hello",
  "https://",
  "http://[::1",
  "msg_00000000-0000-0000-0000-000000000000",
  "000000000000000000",
  "0mwprskck334cb5f05e",
  "99999999999999999999999999",
  "2026-02-31T25:61:61Z",
  "x".repeat(300),
  "x".repeat(20_001),
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB",
];

const VALUES: readonly Json[] = [
  null,
  true,
  0,
  -1,
  0.5,
  1e21,
  2 ** 53,
  [],
  {},
  [[]],
  [null],
  { a: { b: [{}] } },
  JSON.parse('{"__proto__": {"admin": true}}') as Json,
];

/** A text that no field expects. */
export const hostileText = (draw: Draw): string => pick(draw, TEXTS);

/** A value that no field expects. */
export const hostileValue = (draw: Draw): Json => (chance(draw, 50) ? hostileText(draw) : pick(draw, VALUES));

/** The same value but for something that is wrong, missing or too much in it. */
export function spoilt(draw: Draw, value: Json): Json {
  if (typeof value !== "object" || value === null) return hostileValue(draw);
  if (Array.isArray(value)) {
    const list = [...(value as readonly Json[])];
    if (list.length === 0 || chance(draw, 30)) return [...list, hostileValue(draw)];
    if (chance(draw, 10)) return Array.from({ length: 50 }, () => list[0] ?? null);
    const at = draw(list.length);
    return list.map((one, index) => (index === at ? spoilt(draw, one) : one));
  }
  const entries = Object.entries(value as { readonly [name: string]: Json });
  if (entries.length === 0 || chance(draw, 20))
    return Object.fromEntries([...entries, [hostileText(draw).slice(0, 100), hostileValue(draw)]]);
  const at = draw(entries.length);
  if (chance(draw, 20)) return Object.fromEntries(entries.filter((_, index) => index !== at));
  return Object.fromEntries(
    entries.map(([name, inner], index) => [name, index === at ? spoilt(draw, inner) : inner]),
  );
}
