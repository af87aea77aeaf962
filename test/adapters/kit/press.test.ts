import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { pressHandlers } from "../../../adapters/kit/handlers/press.ts";
import type { ChatContext } from "../../../adapters/kit/pipeline/context.ts";
import { dispatch } from "../../../adapters/kit/pipeline/handler.ts";
import { ownToken } from "../../../src/seam/text/actions.ts";
import { openDatabase } from "../../../src/infrastructure/storage/database.ts";
import { memory } from "../../../src/infrastructure/storage/key-value.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

const nothing = async () => {};

interface Press extends ChatContext {
  readonly message: string;
}

/** Somebody who presses Delete below messages. `await using` closes what it is kept in. */
async function deleting() {
  const database = await openDatabase(`${temporaryFolder()}/reelay.db`);
  /** Below which messages something was asked. */
  const asked: string[] = [];
  const handlers = pressHandlers<Press>(
    { tokenOf: () => "delete:j1", acknowledge: nothing },
    {
      pressedOn: ({ message }) => message,
      confirm: nothing,
      settle: nothing,
      act: async ({ message }) => void asked.push(message),
    },
  );
  const context = {
    memory: memory(database, "telegram"),
    origin: { user: "telegram:5" },
    intake: { buttons: new Map([["delete", { confirms: "delete-now" }]]) },
  };
  return {
    asked,
    press: (message: string) => dispatch({ ...context, message } as unknown as Press, handlers),
    [Symbol.asyncDispose]: () => database.close(),
  };
}

it("what asks first asks once where it is pressed twice in a row", async () => {
  await using at = await deleting();
  await at.press("1");
  await at.press("1");
  expect(at.asked).toEqual(["1"]);
});

it("what asks first asks again of whoever took its question away", async () => {
  await using at = await deleting();
  await at.press("1");
  vi.setSystemTime(Date.now() + 3_000);
  await at.press("1");
  expect(at.asked).toEqual(["1", "1"]);
});

it("what asks first asks below every message that it is pressed on", async () => {
  await using at = await deleting();
  await at.press("1");
  await at.press("2");
  expect(at.asked).toEqual(["1", "2"]);
});

/** Somebody who said yes to what takes everything away. `await using` closes what it is kept in. */
async function forgetting() {
  const database = await openDatabase(`${temporaryFolder()}/reelay.db`);
  const entries = memory(database, "telegram");
  const token = "forget-now:1";
  const handlers = pressHandlers<Press>(
    { tokenOf: () => ownToken("y", token), acknowledge: nothing },
    { pressedOn: ({ message }) => message, confirm: nothing, settle: nothing, act: nothing },
  );
  const act = vi.fn<ChatContext["intake"]["act"]>();
  const origin = { user: "telegram:5" };
  const context = { memory: entries, origin, intake: { act }, message: "1" };
  return {
    act,
    entries: () => entries.entries(),
    press: () => dispatch(context as unknown as Press, handlers),
    /** As it is pressed for the core. */
    with: (more: object) => [{ ...origin, ...more }, token],
    [Symbol.asyncDispose]: () => database.close(),
  };
}

it("what takes everything away is as old as it is where the process ended in the middle of it", async () => {
  await using at = await forgetting();
  const pressedAt = Date.now();
  // Nothing of the process comes after that.
  at.act.mockRejectedValueOnce(new Error("killed"));
  await expect(at.press()).rejects.toThrow("killed");
  vi.setSystemTime(pressedAt + 3_600_000);
  at.act.mockRejectedValueOnce(new Error("killed"));
  await expect(at.press()).rejects.toThrow("killed");
  await at.press();
  expect(at.act.mock.calls).toEqual([at.with({}), at.with({ pressedAt }), at.with({ pressedAt })]);
  // Who is forgotten is named nowhere, and what they press next is new.
  expect(await at.entries()).toEqual([]);
  await at.press();
  expect(at.act).toHaveBeenLastCalledWith(...at.with({}));
});
