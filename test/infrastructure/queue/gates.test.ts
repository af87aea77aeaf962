import { expect, it } from "vitest";
import { Gates } from "../../../src/infrastructure/queue/gates.ts";

/** Somebody who stays behind a gate until they are let go. */
function visitor(gates: Gates, name: string, entered: string[], who: string) {
  const leaves = Promise.withResolvers<void>();
  const done = gates.pass(name, () => {
    entered.push(who);
    return leaves.promise;
  });
  return { leave: () => (leaves.resolve(), done) };
}

it("let one through at a time, in the order of arrival, each gate by itself", async () => {
  const gates = new Gates();
  const entered: string[] = [];
  const [a, b, c] = ["a", "b", "c"].map((who) => visitor(gates, "one", entered, who));
  await expect.poll(() => entered).toEqual(["a"]);
  const d = visitor(gates, "two", entered, "d");
  await expect.poll(() => entered).toEqual(["a", "d"]);
  await a?.leave();
  await expect.poll(() => entered).toEqual(["a", "d", "b"]);
  // Whoever comes while two are there waits for both.
  const e = visitor(gates, "one", entered, "e");
  await b?.leave();
  await expect.poll(() => entered).toEqual(["a", "d", "b", "c"]);
  await c?.leave();
  await e.leave();
  await d.leave();
  expect(entered).toEqual(["a", "d", "b", "c", "e"]);
});

it("are forgotten once nobody is at them, however it went", async () => {
  const gates = new Gates();
  const tasks = [async () => 1, () => Promise.reject(new Error("failed")), async () => 3];
  const outcomes = Promise.allSettled(tasks.map((task) => gates.pass("one", task)));
  expect(gates.size).toBe(1);
  expect((await outcomes).map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(gates.size).toBe(0);
});
