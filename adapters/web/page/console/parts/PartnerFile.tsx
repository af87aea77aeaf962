import { useState } from "preact/hooks";
import type { PageProblem } from "../../../wire.ts";
import { useDesk } from "../state/context.ts";
import { linkTo } from "../state/place.ts";
import { posting } from "../../src/state/ask.ts";
import { useChange } from "../state/useChange.ts";
import { ConfirmedActions } from "./ConfirmedActions.tsx";
import { Outcome } from "./Outcome.tsx";
import { Budgets } from "./Budgets.tsx";
import { Facts } from "./Facts.tsx";
import { Fault } from "./Fault.tsx";
import type { PartnerPart } from "./partner-part.ts";
import { atStart } from "./words.ts";
import { PartnerCaps } from "./PartnerCaps.tsx";
import { PartnerTokens } from "./PartnerTokens.tsx";
import { PartnerWebhooks } from "./PartnerWebhooks.tsx";

/** A partner with all that is known of them. @param problem why that could not be read anew */
export function PartnerFile({ problem, ...part }: PartnerPart & { problem: PageProblem | undefined }) {
  const { say, locale, may } = useDesk();
  const { partner, paidBy, spent } = part.card;
  const { id, name } = partner;
  return (
    <article class="file" aria-label={name}>
      <p>
        <a href={linkTo("partners")}>{say("console.partners.all")}</a>
      </p>
      <Fault problem={problem} />
      <section class="part">
        <h2>{name === id ? id : `${name} (${id})`}</h2>
        <Facts
          facts={[
            [
              say("console.partners.pays"),
              atStart(locale, say(`console.partners.pays.${paidBy ?? "nobody"}`)),
            ],
            [
              say("console.partners.spent"),
              say("privacy.sums_of", { jobs: spent.jobs, tokens: spent.tokens }),
            ],
            [say("console.partners.failed"), spent.jobs - spent.completed],
          ]}
        />
        {paidBy === "unreadable" && <p class="hint">{say("keys.unreadable")}</p>}
        <Budgets budgets={part.card.budgets} />
      </section>
      {may("manage-partners") && <PartnerKey {...part} />}
      <PartnerCaps {...part} />
      <PartnerTokens {...part} />
      <PartnerWebhooks {...part} />
    </article>
  );
}

/** Gives a partner another key of the service's: entered once, tried out, and never shown. */
function PartnerKey({ card, onChanged }: PartnerPart) {
  const { ask, say } = useDesk();
  const [key, setKey] = useState("");
  const { change, outcome } = useChange(onChanged);
  const { id, name } = card.partner;
  const replace = () =>
    change(async () => {
      await ask(`partners/${id}/key`, posting({ key: key.trim() }));
      setKey("");
    });
  return (
    <section class="part">
      <h2>{say("console.partners.key")}</h2>
      <form onSubmit={(event) => event.preventDefault()}>
        <label class="field">
          <span class="field-label">{say("console.partners.key.new")}</span>
          <input
            type="password"
            autocomplete="new-password"
            maxLength={512}
            value={key}
            onInput={(event) => setKey(event.currentTarget.value)}
          />
          <span class="hint">{say("console.partners.key.new.hint")}</span>
        </label>
        {key.trim() !== "" && (
          <ConfirmedActions
            name={say("console.partners.key")}
            actions={[
              {
                id: "key",
                label: say("console.partners.key.replace"),
                asks: say("console.partners.key.sure", { name }),
                destroys: true,
                onEnter: true,
                onDo: replace,
              },
            ]}
          />
        )}
      </form>
      <Outcome {...outcome} />
    </section>
  );
}
