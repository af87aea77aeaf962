import { execFile } from "node:child_process";
import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { play, run } from "../recipes/recipe.ts";
import { openGateway } from "../support/gateway.ts";
import { temporaryFolder, testPicture, testSandbox } from "../support/sandbox.ts";

const CLIENT = fileURLToPath(new URL("../../clients/typescript", import.meta.url));
const MODULES = fileURLToPath(new URL("../../node_modules", import.meta.url));
const TSC = join(MODULES, ".bin/tsc");

it("the package of the client is typed, and runs without Reelay's sources: by the program in its README", async () => {
  const folder = temporaryFolder();
  const installed = join(folder, "node_modules/reelay-client");
  await mkdir(installed, { recursive: true });
  await cp(join(CLIENT, "package.json"), join(installed, "package.json"));
  await promisify(execFile)(TSC, ["-p", CLIENT, "--outDir", join(installed, "dist")]);

  const readme = await readFile(join(CLIENT, "README.md"), "utf8");
  const [, program = ""] = /```ts\n(.*?)```/s.exec(readme) ?? [];
  await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  await writeFile(join(folder, "video.ts"), program);
  await cp(join(MODULES, "@types/node"), join(folder, "node_modules/@types/node"), { recursive: true });
  await cp(join(MODULES, "undici-types"), join(folder, "node_modules/undici-types"), { recursive: true });
  const strict = ["--noEmit", "--strict", "--target", "es2024", "--module", "nodenext", "--types", "node"];
  await promisify(execFile)(TSC, [...strict, "video.ts"], { cwd: folder });

  await using sandbox = await testSandbox();
  await using gateway = await openGateway(sandbox);
  const { token } = await gateway.join();
  await writeFile(join(folder, "photo.jpg"), Buffer.from(await testPicture(), "base64"));
  const environment = { REELAY_URL: gateway.url, REELAY_TOKEN: token };
  const { out, err } = await run(
    "sh",
    ["-c", `cd "${folder}" && "${process.execPath}" video.ts`],
    environment,
  );
  expect({ out, err }).toEqual({
    out: expect.stringMatching(/^\w+ \d+%\n.*Saved: .*\.mp4, for [\d.]+ tokens/s),
    err: "",
  });
  const video = (await readdir(folder)).find((name) => name.endsWith(".mp4")) ?? "";
  play(join(folder, video));
});
