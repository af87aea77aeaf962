import { beforeAll, describe, expect, it, vi } from "vitest";
import { ReelayError } from "../../src/common/errors.ts";
import { TakesNoForm } from "../../src/seam/surface/takes-no-form.ts";
import type { MediaRef } from "../../src/seam/values.ts";
import { testCore } from "../support/core.ts";
import { testSandbox } from "../support/sandbox.ts";
import { MemorySurface, person, testPhoto } from "../support/surface.ts";
import { PATIENCE_MS } from "../support/patience.ts";

let photo: MediaRef;

beforeAll(async () => void (photo = await testPhoto()));

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
      { timeout: PATIENCE_MS },
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

/** Ann's film, made while nothing can be posted in her chat. */
async function closed(refusal: () => Error, surface = new MemorySurface()) {
  const sandbox = await testSandbox();
  let open = false;
  surface.beforePost = (view) => {
    if (view.kind === "result" && !open) throw refusal();
  };
  const core = await testCore(sandbox, { surface });
  await surface.intake.command(person("ann"), "video", zoom());
  const rows = () => core.database.kysely.selectFrom("jobs").select("delivery").execute();
  const deliveries = async () => (await rows()).map(({ delivery }) => delivery);
  await expect.poll(deliveries).toEqual(["undeliverable"]);
  open = true;
  return {
    surface,
    core,
    deliveries,
    async [Symbol.asyncDispose]() {
      await core[Symbol.asyncDispose]();
      await sandbox[Symbol.asyncDispose]();
    },
  };
}

describe("a chat that was closed", () => {
  it("gets what waited once it is open, once, however often that is heard", async () => {
    await using at = await closed(() => new ReelayError("undeliverable"));
    const { intake } = at.surface;
    await intake.chatOpened({ user: "web:ben" });
    await intake.chatOpened({ user: "web:ann", chat: "web:1" });
    expect(await at.deliveries()).toEqual(["undeliverable"]);
    await Promise.all([1, 2, 3].map(() => intake.chatOpened({ user: "web:ann" })));
    await at.surface.results(1);
    await expect.poll(at.deliveries).toEqual(["delivered"]);
    await intake.chatOpened({ user: "web:ann" });
    expect(await at.deliveries()).toEqual(["delivered"]);
    expect(at.surface.showing("result")).toHaveLength(1);
  });

  it("is not sent again what its platform takes in no form: its person was told where it waits", async () => {
    await using at = await closed(() => new TakesNoForm());
    await at.surface.intake.chatOpened({ user: "web:ann" });
    expect(await at.deliveries()).toEqual(["undeliverable"]);
    expect(at.surface.showing("result")).toEqual([]);
  });
});
