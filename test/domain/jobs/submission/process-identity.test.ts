import { expect, it } from "vitest";
import { isRunning, ownIdentity } from "../../../../src/domain/jobs/submission/process-identity.ts";

const own = ownIdentity();
const unnamed = { ...own, boot: null, pidNamespace: null };
const parent = { ...own, pid: process.ppid, started: null };

it.each([
  ["runs, where its number is that of a process here", parent, own, true],
  ["is gone, where its number was ours before us", { ...own, started: "1" }, own, false],
  ["is gone, where its number is nobody's", { ...parent, pid: 2 ** 22 + 1 }, own, false],
  [
    "may be anywhere, where another machine or start of it wrote its number",
    { ...parent, boot: "b" },
    own,
    undefined,
  ],
  ["may be in another container", { ...parent, pidNamespace: "pid:[1]" }, own, undefined],
  [
    "may be anywhere, where the system names neither",
    { ...parent, boot: null, pidNamespace: null },
    unnamed,
    undefined,
  ],
] as const)("another process %s", (_, other, self, runs) => {
  // Systems without these names can tell of nobody.
  const isNamed = own.boot !== null && own.pidNamespace !== null;
  expect(isRunning(other, self)).toBe(isNamed || other.pid === own.pid ? runs : undefined);
});
