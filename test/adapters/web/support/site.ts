import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { pino } from "pino";
import { createWebSurface } from "../../../../adapters/web/surface.ts";
import type { Memory, Surface } from "../../../../src/chat/surface.ts";
import { readConfig, type Config } from "../../../../src/config.ts";
import { ReelayError } from "../../../../src/errors.ts";
import type { MediaFiles } from "../../../../src/media/files.ts";
import { FakeCore } from "./fakeCore.ts";

/** The page over the fake core, on a real port. */
export interface Site {
  readonly url: string;
  readonly config: Config;
  readonly core: FakeCore;
  readonly surface: Surface;
  readonly files: MediaFiles;
  close(): Promise<void>;
}

export interface SiteOptions {
  readonly env?: Record<string, string>;
  readonly port?: number;
  readonly stepMs?: number;
  /** Shared by two sites: what a restart finds. */
  readonly memory?: Map<string, string>;
  readonly data?: string;
}

export async function startSite(options: SiteOptions = {}): Promise<Site> {
  const data = options.data ?? (await mkdtemp(join(tmpdir(), "reelay-web-")));
  const config = readConfig({ REELAY_DATA: data, ...options.env });
  const files = plainFiles(data);
  const routes = new Hono();
  const surface = createWebSurface({
    config,
    log: pino({ level: "silent" }),
    memory: plainMemory(options.memory ?? new Map()),
    files,
    routes,
    sandbox: true,
  });
  const core = new FakeCore(options.stepMs ?? 20);
  await core.start(surface);
  const server = await new Promise<Server>((resolve) => {
    const listening = serve({ fetch: routes.fetch, port: options.port ?? 0, hostname: "127.0.0.1" }, () =>
      resolve(listening as Server),
    );
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    config,
    core,
    surface,
    files,
    async close() {
      await surface.stop();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      if (!options.data) await rm(data, { recursive: true, force: true });
    },
  };
}

/** Keeps JSON text, as a real store does, so that nothing is shared by reference. */
function plainMemory(entries: Map<string, string>): Memory {
  return {
    async get<T>(name: string) {
      const text = entries.get(name);
      return text === undefined ? undefined : (JSON.parse(text) as T);
    },
    async set(name, value) {
      entries.set(name, JSON.stringify(value));
    },
    async delete(name) {
      entries.delete(name);
    },
  };
}

function plainFiles(folder: string): MediaFiles {
  const path = (id: string) => join(folder, id);
  const gone = () => {
    throw new ReelayError("media_gone");
  };
  return {
    async put(source, maxBytes) {
      const bytes = await buffer(source);
      if (bytes.length > maxBytes) throw new ReelayError("media_too_large", { max: maxBytes });
      const id = createHash("sha256").update(bytes).digest("hex");
      await writeFile(path(id), bytes);
      return { id, bytes: bytes.length };
    },
    async open(id, range) {
      await readFile(path(id)).catch(gone);
      return createReadStream(path(id), range);
    },
    async stat(id) {
      const { size } = await stat(path(id)).catch(gone);
      return { bytes: size };
    },
    async remove(id) {
      await rm(path(id), { force: true });
    },
  };
}
