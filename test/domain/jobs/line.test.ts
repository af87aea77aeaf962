import { expect, it } from "vitest";
import { Line } from "../../../src/domain/jobs/line.ts";

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
