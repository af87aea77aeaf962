import { describe, expect, it } from "vitest";
import { readCommand } from "../../../../adapters/telegram/context/command-line.ts";
import {
  nearestCommand,
  CHAT_COMMANDS,
  specOf,
  typedName,
} from "../../../../adapters/kit/handlers/command-names.ts";
import { TELEGRAM } from "../../../../adapters/telegram/api/limits.ts";
import { COMMAND_SPECS } from "../../../../src/domain/dispatch/registry.ts";

describe("a typed command", () => {
  it.each([
    ["/video", { name: "video", words: "", named: false }],
    ["  /video  slow zoom \n now ", { name: "video", words: "slow zoom \n now", named: false }],
    ["/Video@Reelay_Bot waves", { name: "Video", words: "waves", named: true }],
    ["/connect\nrk_1", { name: "connect", words: "rk_1", named: false }],
  ])("%j is read", (text, command) => {
    expect(readCommand(text, "reelay_bot")).toEqual(command);
  });

  it.each(["video", "/video@other_bot", "/usr/bin", "/", "see /video", "/video-audio"])(
    "%j is none of ours",
    (text) => {
      expect(readCommand(text, "reelay_bot")).toBeUndefined();
    },
  );
});

describe("names of commands", () => {
  const all = [...CHAT_COMMANDS, ...COMMAND_SPECS].map(({ name }) => typedName(name));

  it("are as Telegram takes them, and no two are the same", () => {
    for (const name of all) expect(name).toMatch(new RegExp(`^[a-z0-9_]{1,${TELEGRAM.commands.name}}$`));
    expect(new Set(all).size).toBe(all.length);
    expect(all.length).toBeLessThanOrEqual(TELEGRAM.commands.count);
  });

  it("lead back to the core's", () => {
    for (const spec of COMMAND_SPECS) expect(specOf(COMMAND_SPECS, typedName(spec.name))).toBe(spec);
    expect(specOf(COMMAND_SPECS, "delete_all")?.name).toBe("delete-all");
    expect(specOf(COMMAND_SPECS, "VideoAudio")?.name).toBe("video-audio");
  });

  it("are guessed from a slip, not from something else", () => {
    expect(nearestCommand(COMMAND_SPECS, "balanse")).toBe("balance");
    expect(nearestCommand(COMMAND_SPECS, "tmplates")).toBe("templates");
    expect(nearestCommand(COMMAND_SPECS, "weather_tomorrow")).toBeUndefined();
  });
});
