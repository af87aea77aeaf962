import { expect, it } from "vitest";
import { isOfPress, refusalView } from "../../../src/seam/text/notices.ts";
import type { ErrorCode } from "../../../src/common/errors.ts";

const refused = (code: ErrorCode) => refusalView({ code, params: {} });
const tokens = (code: ErrorCode) => refused(code).actions?.map(({ token }) => token);

it.each(["already_begun", "stale_button", "not_yours", "jobs_open"] as const)(
  "%s leads to what somebody has themselves",
  (code) => {
    expect(tokens(code)).toEqual(["jobs:"]);
  },
);

it.each(["not_connected", "unauthorized"] as const)("%s leads to connecting a key", (code) => {
  expect(tokens(code)).toEqual(["reconnect:key"]);
});

it("knows what is said of a press that came to nothing", () => {
  expect((["already_begun", "stale_button", "not_yours"] as const).map(refused).map(isOfPress)).toEqual([
    true,
    true,
    true,
  ]);
  expect(isOfPress(refused("not_connected"))).toBe(false);
  expect(isOfPress({ kind: "notice", text: { key: "job.deleted" } })).toBe(false);
});
