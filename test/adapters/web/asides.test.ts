import { expect, it, vi } from "vitest";
import { Asides } from "../../../adapters/web/asides.ts";
import type { Address } from "../../../src/seam/values.ts";
import type { AsideBody } from "../../../adapters/web/wire.ts";
import { PATIENCE_MS } from "../../support/patience.ts";

const ANN = { address: { conversation: "ann" } };
const said = (key: "forget.erasing" | "forget.done"): AsideBody => ({ kind: "notice", text: { key } });

/** Somebody asks for what says something at once, and the rest when it is let go on. */
function asking(moreMs: number) {
  const failed = vi.fn<(error: unknown) => void>();
  const asides = new Asides(failed, moreMs);
  const { promise: rest, resolve, reject } = Promise.withResolvers<void>();
  let address: Address = {};
  const answers = asides.answersTo(ANN, async (at) => {
    address = at;
    asides.take(at, said("forget.erasing"));
    await rest;
    asides.take(at, said("forget.done"));
  });
  return {
    answers,
    failed,
    finish: resolve,
    fail: reject,
    takes: (body: AsideBody) => asides.take(address, body),
  };
}

it("has all that is said where it is done soon after the first", async () => {
  const { answers, finish } = asking(PATIENCE_MS);
  finish();
  expect(await answers).toEqual([said("forget.erasing"), said("forget.done")]);
});

it("has what is said at once where the rest takes long, which is for the conversation", async () => {
  const { answers, takes, finish, failed } = asking(1);
  const first = await answers;
  expect(first).toEqual([said("forget.erasing")]);
  expect(takes(said("forget.done"))).toBe(false);
  finish();
  expect(first).toEqual([said("forget.erasing")]);
  expect(failed).not.toHaveBeenCalled();
});

it("hears of what fails after that, and is refused what fails before", async () => {
  const late = asking(1);
  await late.answers;
  late.fail(new Error("the disk is away"));
  await vi.waitFor(() => expect(late.failed).toHaveBeenCalledOnce(), PATIENCE_MS);
  const soon = asking(PATIENCE_MS);
  soon.fail(new Error("the disk is away"));
  await expect(soon.answers).rejects.toThrow("the disk is away");
  expect(soon.failed).not.toHaveBeenCalled();
});
