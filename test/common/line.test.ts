import { expect, it } from "vitest";
import { Line } from "../../src/common/line.ts";

it("runs tasks of one name one after another, and others beside them", async () => {
  const line = new Line();
  const ran: string[] = [];
  const first = Promise.withResolvers<void>();
  const failing = line.run("a", async () => {
    await first.promise;
    ran.push("a1");
    throw new Error("odd");
  });
  const then = line.run("a", async () => void ran.push("a2"));
  await line.run("b", async () => void ran.push("b"));
  expect(ran).toEqual(["b"]);
  const idle = line.idle().then(() => ran.push("idle"));
  first.resolve();
  await expect(failing).rejects.toThrow("odd");
  await then;
  await idle;
  expect(ran).toEqual(["b", "a1", "a2", "idle"]);
});

it("lets a task that comes later wait for the one that is under way, not for the first alone", async () => {
  const line = new Line();
  const second = Promise.withResolvers<void>();
  const ran: string[] = [];
  const first = line.run("a", async () => void ran.push("a1"));
  const under = line.run("a", async () => {
    await second.promise;
    ran.push("a2");
  });
  await first;
  // Whatever the first one leaves behind is tidied up.
  await new Promise((resolve) => setImmediate(resolve));
  const third = line.run("a", async () => void ran.push("a3"));
  await new Promise((resolve) => setImmediate(resolve));
  expect(ran).toEqual(["a1"]);
  second.resolve();
  await Promise.all([under, third]);
  expect(ran).toEqual(["a1", "a2", "a3"]);
});
