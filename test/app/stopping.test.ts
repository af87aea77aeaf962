import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";

const SERVER = new URL("../../src/app/open-server.ts", import.meta.url).href;

it("a process stops whose starter was gone before it listened for that", async () => {
  const program = `
    const { stopping } = await import(${JSON.stringify(SERVER)});
    setInterval(() => {}, 1_000);
    process.once("disconnect", async () => {
      await stopping(async () => {});
      process.exit(7);
    });
    process.send("there");
  `;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  const ended = once(child, "exit");
  await once(child, "message");
  child.disconnect();
  expect(await ended).toEqual([7, null]);
});
