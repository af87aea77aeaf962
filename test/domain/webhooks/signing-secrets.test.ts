import { expect, it } from "vitest";
import { SigningSecrets } from "../../../src/domain/webhooks/signing-secrets.ts";
import { ACME, HOUR, OTHER, harness } from "./harness.ts";

const NOW = Date.UTC(2026, 0, 30, 12);

it("of a signer is made once, and signs until it is removed", async () => {
  await using acme = await harness();
  const secrets = new SigningSecrets(acme.vault);
  await expect(secrets.signing(ACME, NOW)).rejects.toMatchObject({ code: "key_unreadable" });
  const first = await secrets.newest(ACME, NOW);
  expect(await secrets.newest(ACME, NOW + 1)).toBe(first);
  expect(await secrets.newest(OTHER, NOW)).not.toBe(first);
  expect(await secrets.signing(ACME, NOW + 100 * HOUR)).toEqual([first]);
  await secrets.remove(ACME);
  await expect(secrets.signing(ACME, NOW)).rejects.toMatchObject({ code: "key_unreadable" });
  expect(await secrets.signing(OTHER, NOW)).toHaveLength(1);
});

it("signs for a day more beside the one that follows it, and for none beside the next", async () => {
  await using acme = await harness();
  const secrets = new SigningSecrets(acme.vault);
  const first = await secrets.newest(ACME, NOW);
  const second = await secrets.renew(ACME, NOW);
  expect(await secrets.newest(ACME, NOW)).toBe(second);
  expect(await secrets.signing(ACME, NOW + 24 * HOUR - 1)).toEqual([second, first]);
  expect(await secrets.signing(ACME, NOW + 24 * HOUR)).toEqual([second]);
  const third = await secrets.renew(ACME, NOW + HOUR);
  expect(await secrets.signing(ACME, NOW + HOUR)).toEqual([third, second]);
});
