import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { pressHandlers } from "../../../adapters/kit/handlers/press.ts";
import type { ChatContext } from "../../../adapters/kit/pipeline/context.ts";
import { dispatch } from "../../../adapters/kit/pipeline/handler.ts";
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
