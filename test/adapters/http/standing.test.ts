import { describe, expect, it } from "vitest";
import { openGateway, type TestPartner } from "../../support/gateway.ts";
import { testSandbox } from "../../support/sandbox.ts";

const CAT = { operation: "image", input: { prompt: "a cat" } };

interface Read {
  readonly caps: object;
  readonly standing: { readonly today: { readonly tokens: number }; readonly left: object } | null;
}

const read = async (partner: TestPartner) => (await (await partner.call("/partner")).json()) as Read;

const UNBOUND = { day: null, month: null, at_once: null, day_tokens: null, month_tokens: null };

describe("how a partner stands", () => {
  it("is what they have spent today and this month, and what is left of each cap", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const caps = { day: 5, month: 50, atOnce: 4, dayTokens: 100.1, monthTokens: 500 };
    const acme = await gateway.join("acme", { caps });
    const other = await gateway.join("other");
    const left = { day: 5, month: 50, at_once: 4, day_tokens: 100.1, month_tokens: 500 };
    const nothing = { jobs: 0, tokens: 0 };
    expect((await read(acme)).standing).toEqual({ today: nothing, this_month: nothing, left });
    let cost = 0;
    for (let nth = 0; nth < 2; nth++) cost += (await acme.ended((await acme.accepted(CAT)).id)).cost ?? 0;
    expect(cost).toBeGreaterThan(0);
    const spent = { jobs: 2, tokens: Number(cost.toFixed(2)) };
    const { standing } = await read(acme);
    expect(standing).toEqual({
      today: spent,
      this_month: spent,
      left: {
        day: 3,
        month: 48,
        at_once: 4,
        day_tokens: Number((100.1 - cost).toFixed(2)),
        month_tokens: Number((500 - cost).toFixed(2)),
      },
    });
    expect((await read(other)).standing).toEqual({ today: nothing, this_month: nothing, left: UNBOUND });
  });

  it("is told to no token that is not for usage, and none of it falls below nothing", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const reader = await gateway.join("reader", { scopes: ["jobs:read"] });
    expect(await read(reader)).toMatchObject({ standing: null, caps: UNBOUND });
    const acme = await gateway.join("acme", { caps: { day: 3 } });
    await acme.ended((await acme.accepted(CAT)).id);
    await acme.ended((await acme.accepted(CAT)).id);
    await gateway.partners.set("acme", { caps: { day: 1 } });
    expect(await read(acme)).toMatchObject({ standing: { left: { ...UNBOUND, day: 0 } } });
  });
});
