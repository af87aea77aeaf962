import type { LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import { describe, expect, it } from "vitest";
import { isPublicAddress, publicLookup } from "../../../src/infrastructure/net/public-address.ts";
import { names } from "../../support/names.ts";

/** What a connection is told when it looks a name up. */
function ask(lookup: LookupFunction, all: boolean): Promise<string | LookupAddress[]> {
  return new Promise((resolve, reject) => {
    publicLookup(lookup)("pictures.example", { all }, (error, address) =>
      error ? reject(error) : resolve(address),
    );
  });
}

const refused = { code: "url_refused" };

describe("the lookup of a connection", () => {
  it("hands on the very addresses that it checked, so that a name cannot change in between", async () => {
    const rebinding = names(["93.184.216.34"], ["127.0.0.1"]);
    expect(await ask(rebinding.lookup, true)).toEqual([{ address: "93.184.216.34", family: 4 }]);
    expect(rebinding.asked).toHaveLength(1);
    await expect(ask(rebinding.lookup, true)).rejects.toMatchObject(refused);
    expect(await ask(names(["2606:2800:220:1::1"]).lookup, false)).toBe("2606:2800:220:1::1");
  });

  it("fails where a name has no address", async () => {
    await expect(ask(names([]).lookup, true)).rejects.toMatchObject({ code: "ENOTFOUND" });
  });

  it.each(["ENOTFOUND", "ESERVFAIL", "ETIMEOUT"])(
    "says %s where that is why nothing was found",
    async (code) => {
      const failing: LookupFunction = (_name, _options, callback) =>
        callback(Object.assign(new Error("No answer"), { code }), []);
      await expect(ask(failing, true)).rejects.toMatchObject({ code });
    },
  );
});

describe("isPublicAddress", () => {
  it.each(["93.184.216.34", "1.1.1.1", "2606:4700::1111", "::ffff:93.184.216.34"])("%s is", (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });
  it.each([
    "172.16.0.1",
    "127.0.0.1",
    "192.0.2.1",
    "198.18.0.1",
    "fec0::1",
    "ff02::1",
    "::",
    "::7f00:1",
    "4000::1",
    "name",
  ])("%s is not", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});
