import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { ReelayError } from "../../src/common/errors.ts";
import type { MediaRef } from "../../src/seam/values.ts";
import { testCore } from "../support/core.ts";
import { temporaryFolder, testPicture, testSandbox } from "../support/sandbox.ts";
import { MemorySurface, person } from "../support/surface.ts";

let photo: MediaRef;

beforeAll(async () => {
  const path = join(temporaryFolder(), "photo.jpg");
  await writeFile(path, Buffer.from(await testPicture(), "base64"));
  photo = { surface: "web", id: path };
});

const zoom = () => ({ image: photo, prompt: "slow zoom" });

describe.concurrent("a platform in a bad mood", () => {
  it("gets the result once it takes it again", async () => {
    await using sandbox = await testSandbox();
    const surface = new MemorySurface();
    let refusals = 1;
    surface.beforePost = (view) => {
      if (view.kind === "result" && refusals-- > 0) throw new Error("The platform is down.");
    };
    await using core = await testCore(sandbox, { surface });
    await surface.intake.command(person("ann"), "video", zoom());
    await surface.results(1);
    expect((await sandbox.ledger()).submissions).toHaveLength(1);
    expect(core.surface.messages).toHaveLength(1);
  });

  it("that will never take it leaves the result in the list of jobs, to be shown again", async () => {
    await using sandbox = await testSandbox();
    const surface = new MemorySurface();
    let blocked = true;
    surface.beforePost = (view) => {
      if (view.kind === "result" && blocked) throw new ReelayError("undeliverable");
    };
    await using core = await testCore(sandbox, { surface });
    await surface.intake.command(person("ann"), "video", zoom());
    const menu = await vi.waitFor(
      async () => {
        await surface.intake.command(person("ann"), "jobs", {});
        const shown = surface.showing("menu").at(-1);
        expect(shown?.items[0]?.detail?.params).toMatchObject({ state: "undeliverable" });
        return shown;
      },
      { timeout: 90_000 },
    );
    blocked = false;
    const show = menu?.items[0]?.actions.find(({ label }) => label.key === "action.show");
    await surface.intake.act(person("ann"), show?.token ?? "");
    await surface.results(1);
    expect((await sandbox.ledger()).submissions).toHaveLength(1);
    expect(core.surface.showing("problem")).toEqual([]);
  });
});

describe.concurrent("a restart", () => {
  it("goes on with what was running and what was waiting", async () => {
    await using sandbox = await testSandbox();
    const before = await testCore(sandbox);
    for (const nth of [1, 2, 3])
      await before.surface.intake.command(person("ann"), "video", { ...zoom(), prompt: `nth ${nth}` });
    await before.surface.until(() =>
      before.surface.showing("progress").some(({ phase }) => phase === "running"),
    );
    await before.abandon();
    await using after = await testCore(sandbox, { data: before.config.data, surface: before.surface });
    await after.surface.results(3);
    expect((await sandbox.ledger()).submissions).toHaveLength(3);
    expect(after.surface.messages).toHaveLength(3);
  });
});
