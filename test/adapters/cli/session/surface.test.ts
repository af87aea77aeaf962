import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import type { CliEvent } from "../../../../adapters/cli/output/events.ts";
import { EXIT } from "../../../../adapters/cli/output/exit-codes.ts";
import { createCliSurface } from "../../../../adapters/cli/session/surface.ts";
import { translator } from "../../../../src/common/i18n.ts";
import { COMMAND_SPECS } from "../../../../src/domain/dispatch/registry.ts";
import { testFolder } from "../support/folder.ts";

const surface = (tell: (event: CliEvent) => void = () => {}) =>
  createCliSurface({
    translate: translator("en"),
    commands: COMMAND_SPECS,
    tell,
    asked: () => {},
    replaced: () => {},
  });

describe("the surface of the command line", () => {
  it("opens the photo by its path, as often as it is wanted", async () => {
    const id = join(await testFolder(), "photo.jpg");
    const cli = surface();
    expect(await text(await cli.openMedia({ surface: "cli", id }))).toBe("a photo");
    expect(await text(await cli.openMedia({ surface: "cli", id }))).toBe("a photo");
  });

  it("says when the photo is gone", async () => {
    const id = join(await testFolder(), "gone.jpg");
    await expect(surface().openMedia({ surface: "cli", id })).rejects.toMatchObject({ code: "media_gone" });
  });

  it("tells scripts by the exit code that nothing more was begun by a second press", async () => {
    const told: CliEvent[] = [];
    const cli = surface((event) => void told.push(event));
    await cli.deliver({}, { kind: "notice", text: { key: "error.already_begun" } });
    expect(told).toMatchObject([{ event: "problem", code: "already_begun", exitCode: EXIT.refused }]);
  });

  it("is ready until it is stopped", async () => {
    const cli = surface();
    expect(cli.ready()).toBe(true);
    await cli.stop();
    expect(cli.ready()).toBe(false);
  });
});
