import { expect, it } from "vitest";
import { webhookHosts } from "../../src/seam/config.ts";

const own = { host: "127.0.0.1", publicUrl: undefined, privateHosts: ["nas"] };

it("webhooks may lead to this machine in the sandbox alone, and only where nobody comes from elsewhere", () => {
  expect(webhookHosts(own, true)).toEqual(["nas", "127.0.0.1", "localhost", "[::1]"]);
  expect(webhookHosts({ ...own, host: "localhost" }, true)).toContain("127.0.0.1");
  expect(webhookHosts(own, false)).toEqual(["nas"]);
  expect(webhookHosts({ ...own, host: "0.0.0.0" }, true)).toEqual(["nas"]);
  expect(webhookHosts({ ...own, publicUrl: "https://reelay.example" }, true)).toEqual(["nas"]);
});
