import { useState } from "preact/hooks";
import type { FreshTokenShown, PartnerCard } from "../../../console/people-wire.ts";
import { posting } from "../../src/state/ask.ts";
import { useDesk } from "../state/context.ts";
import { useChange } from "../state/useChange.ts";
import { ConfirmedActions } from "./ConfirmedActions.tsx";
import { Outcome } from "./Outcome.tsx";
import type { PartnerPart } from "./partner-part.ts";
import { ShownOnce } from "./ShownOnce.tsx";

type Token = PartnerCard["tokens"][number];

/** What a partner's programs come in with: made, replaced, revoked. A new one is shown once. */
export function PartnerTokens({ card, onChanged }: PartnerPart) {
  const { ask, say, may } = useDesk();
  const [fresh, setFresh] = useState<string>();
  const { change, outcome } = useChange(onChanged);
  const path = `partners/${card.partner.id}/tokens`;
  const make = (where: string, terms: { readonly test?: true } = {}) =>
    change(async () => setFresh((await ask<FreshTokenShown>(where, posting(terms))).token));
  const actionsOf = (id: string) => [
    {
      id: "rotate",
      label: say("console.partners.token.rotate"),
      asks: say("console.partners.token.rotate.sure", { token: id }),
      destroys: true,
      onDo: () => make(`${path}/${id}/rotate`),
    },
    {
      id: "revoke",
      label: say("console.partners.token.revoke"),
      asks: say("console.partners.token.revoke.sure", { token: id }),
      destroys: true,
      onDo: () => change(() => ask(`${path}/${id}`, { method: "DELETE" })),
    },
  ];
  return (
    <section class="part">
      <h2>{say("console.partners.tokens")}</h2>
      {card.tokens.length === 0 && <p class="hint">{say("console.none")}</p>}
      <ul class="rows">
        {card.tokens.map((token) => (
          <li key={token.id}>
            <code>{token.id}</code>
            <p class="hint">{aboutToken(token)}</p>
            {may("manage-partners") && <ConfirmedActions name={token.id} actions={actionsOf(token.id)} />}
          </li>
        ))}
      </ul>
      {may("manage-partners") && (
        <div class="actions">
          <button type="button" class="button" onClick={() => make(path)}>
            {say("console.partners.token.new")}
          </button>
          <button type="button" class="button" onClick={() => make(path, { test: true })}>
            {say("console.partners.token.new_test")}
          </button>
        </div>
      )}
      <Outcome {...outcome} />
      {fresh !== undefined && (
        <ShownOnce key={fresh} text={fresh} about={say("console.partners.token.once")} />
      )}
    </section>
  );

  function aboutToken({ scopes, expiresAt, lastUsedAt, test }: Token): string {
    const end = expiresAt === undefined ? "for_good" : expiresAt > Date.now() ? "until" : "expired";
    return [
      ...(test ? [say("partner.token.test")] : []),
      scopes.join(" "),
      say(`cli.partner.token.${end}`, { at: expiresAt ?? 0 }),
      lastUsedAt === null ? say("partner.token.unused") : say("partner.token.used", { at: lastUsedAt }),
    ].join(" · ");
  }
}
