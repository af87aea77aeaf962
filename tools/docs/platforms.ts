import type { SurfaceLimits } from "../../src/seam/surface/surface.ts";
import { LIMITS as cli } from "../../adapters/cli/session/limits.ts";
import { LIMITS as discord } from "../../adapters/discord/limits.ts";
import { LIMITS as http } from "../../adapters/http/limits.ts";
import { LIMITS as telegram } from "../../adapters/telegram/limits.ts";
import { LIMITS as web } from "../../adapters/web/limits.ts";
import { LIMITS as whatsapp } from "../../adapters/whatsapp/api/limits.ts";
import { translator } from "../../src/common/i18n.ts";
import { type Platform, PLATFORMS } from "../../src/seam/values.ts";

/** The page that says what each platform can. */
export const PLATFORMS_PAGE = new URL("../../docs/platforms.md", import.meta.url);

const LIMITS: Readonly<Record<Platform, SurfaceLimits>> = { cli, discord, http, telegram, web, whatsapp };

const MIB = 2 ** 20;

const size = (bytes: number) => (bytes < 2 ** 40 ? `${bytes / MIB} MiB` : "any");

const orAny = (most: number | null) => (most === null ? "any" : String(most));

const COLUMNS: Readonly<Record<string, (limits: SurfaceLimits) => string>> = {
  "changes what it said": ({ edit }) => edit,
  "speaks unasked": ({ windowMs }) =>
    windowMs === null ? "at any time" : `for ${windowMs / 3_600_000} hours`,
  characters: ({ text }) => orAny(text),
  buttons: ({ buttons }) => orAny(buttons),
  "rows of a list": ({ rows }) => orAny(rows),
  "a video that plays": ({ video: { bytes, codecs } }) => [size(bytes), ...(codecs ?? [])].join(", "),
  "any other file": ({ maxUploadBytes }) => size(maxUploadBytes),
};

/** The page, from what the adapters say of their platforms. */
export function platformsPage(): string {
  const say = translator("en");
  const rows = PLATFORMS.map((platform) =>
    [say(`platform.${platform}`), ...Object.values(COLUMNS).map((of) => of(LIMITS[platform]))].join(" | "),
  );
  const head = ["", ...Object.keys(COLUMNS)];
  return `# What each platform can

<!-- This page is written by \`npm run docs\` from the adapters' limits. -->

What a platform lacks, Reelay makes up for: what cannot be changed is said once and sparingly, what has too many buttons becomes a
list with pages, and a file that is too large comes in another form or as a link.

| ${head.join(" | ")} |
| ${head.map(() => "---").join(" | ")} |
${rows.map((row) => `| ${row} |`).join("\n")}

"Speaks unasked" says for how long after somebody's last word they may be told something.
`;
}
