import { readdir, readFile } from "node:fs/promises";
import { gunzipSync, brotliDecompressSync } from "node:zlib";
import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LOCALES } from "../../../src/common/i18n.ts";
import { startSite, type Site } from "./support/site.ts";

const PAGE = new URL("../../../dist/page/", import.meta.url);

const DECODERS = { br: brotliDecompressSync, gzip: gunzipSync } as const;

/** The most script that a first visit loads, in bytes: browsers take brotli over https and from this machine alone. */
const MOST = { br: 50_000, gzip: 57_000 } as const;

describe("the first visit", () => {
  let site: Site;
  let assets: readonly string[];
  beforeAll(async () => {
    site = await startSite();
    assets = await readdir(new URL("assets/", PAGE));
  });
  afterAll(() => site.close());

  /** Asks as a browser does; fetch would decompress what comes. */
  function ask(path: string, accepted: string) {
    return new Promise<{ headers: Record<string, string | string[] | undefined>; body: Buffer }>(
      (resolve, reject) => {
        const headers = { "accept-encoding": accepted };
        request(site.url + path, { headers }, (response) => {
          response
            .toArray()
            .then(
              (chunks) => resolve({ headers: response.headers, body: Buffer.concat(chunks as Buffer[]) }),
              reject,
            );
        })
          .on("error", reject)
          .end();
      },
    );
  }

  const built = (pattern: RegExp) =>
    assets.filter((name) => pattern.test(name)).map((name) => `/assets/${name}`);

  it.each(["br", "gzip"] as const)(
    "is sent what was compressed when the page was built: %s",
    async (encoding) => {
      const paths = ["/", ...built(/^index-.*\.(?:js|css)$/), ...built(/^en-.*\.js$/), ...built(/\.svg$/)];
      expect(paths).toHaveLength(5);
      for (const path of paths) {
        const file = await readFile(new URL(path === "/" ? "index.html" : `.${path}`, PAGE));
        const { headers, body } = await ask(path, `deflate, ${encoding}`);
        expect(headers["content-encoding"]).toBe(encoding);
        expect(headers["vary"]).toContain("Accept-Encoding");
        expect(DECODERS[encoding](body).equals(file)).toBe(true);
        const plain = await ask(path, "identity");
        expect(plain.headers["content-encoding"]).toBeUndefined();
        expect(plain.headers["content-type"]).toBe(headers["content-type"]);
        expect(plain.headers["cache-control"]).toBe(headers["cache-control"]);
        expect(plain.body.equals(file)).toBe(true);
      }
    },
  );

  it.each(LOCALES)("loads at most 57 kB of script, 50 by brotli: %s", async (locale) => {
    const page = await readFile(new URL("index.html", PAGE), "utf8");
    const asked = [...page.matchAll(/(?:src|href)="\.(\/assets\/[^"]+\.js)"/g)].map(([, path = ""]) => path);
    expect(asked).not.toEqual([]);
    const scripts = [...asked, ...built(new RegExp(`^${locale}-.*\\.js$`))];
    for (const encoding of ["br", "gzip"] as const) {
      const sizes = await Promise.all(scripts.map(async (path) => (await ask(path, encoding)).body.length));
      expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(MOST[encoding]);
    }
  });
});
