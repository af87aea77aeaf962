import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { type AddressInfo, createServer as createLine } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { asListenError, asListening, keepListening } from "../../src/app/listening.ts";
import { createServer } from "../../src/app/server.ts";
import { temporaryFolder } from "../support/sandbox.ts";

describe("where a server listens", () => {
  it("is told by its setting where nobody can listen", async () => {
    for (const [host, setting] of [
      ["192.0.2.1", "REELAY_HOST"],
      ["no-such-host.invalid", "REELAY_HOST"],
    ] as const) {
      const server = createServer(async () => []);
      const error: unknown = await server.listen(host, 0).catch((thrown: unknown) => thrown);
      await server.stop();
      expect(asListenError(error, { host, port: 0 }), host).toMatchObject({
        name: "ConfigError",
        mistakes: [{ setting, found: expect.stringContaining(host) }],
      });
    }
    const denied = Object.assign(new Error("listen EACCES"), { code: "EACCES" });
    expect(asListenError(denied, { host: "0.0.0.0", port: 80 })).toMatchObject({
      mistakes: [{ setting: "REELAY_PORT", found: expect.stringContaining('"80"') }],
    });
    const taken = Object.assign(new Error("listen EADDRINUSE"), { code: "EADDRINUSE" });
    expect(asListenError(taken, { host: "0.0.0.0", port: 80 })).toBe(taken);
  });

  it("is known to other processes of its data folder for as long as it does, whatever they would listen on", async () => {
    const config = { data: temporaryFolder(), port: 8787 };
    expect(await asListening(config)).toEqual(config);
    const server = createServer(async () => []);
    const url = await server.listen("127.0.0.1", 0);
    await keepListening(config.data, url);
    expect(await asListening(config)).toEqual({ ...config, port: Number(new URL(url).port) });
    await server.stop();
    expect(await asListening(config)).toEqual(config);
  });

  it("is known of one that goes on after another one of the same folder has ended", async () => {
    const config = { data: temporaryFolder(), port: 8787 };
    const [first, second] = [createServer(async () => []), createServer(async () => [])];
    const ports: number[] = [];
    for (const server of [first, second]) {
      const url = await server.listen("127.0.0.1", 0);
      await keepListening(config.data, url);
      ports.push(Number(new URL(url).port));
    }
    expect(await asListening(config)).toEqual({ ...config, port: ports[1] });
    await second.stop();
    expect(await asListening(config)).toEqual({ ...config, port: ports[0] });
    await first.stop();
    expect(await asListening(config)).toEqual(config);
  });

  it("is known while it is too busy to say so", async () => {
    const config = { data: temporaryFolder(), port: 8787 };
    const line = createLine().listen(0, "127.0.0.1");
    await once(line, "listening");
    const { port } = line.address() as AddressInfo;
    await keepListening(config.data, `http://127.0.0.1:${port}`);
    expect(await asListening(config, 50)).toEqual({ ...config, port });
    line.close();
  });

  it("is what the settings say where it cannot be read, or written", async () => {
    const config = { data: temporaryFolder(), port: 8787 };
    await writeFile(join(config.data, "listening.json"), "no json");
    expect(await asListening(config)).toEqual(config);
    await keepListening(join(config.data, "nowhere"), "http://127.0.0.1:1");
  });
});
