import type { PageProblem } from "../../../wire.ts";
import { useDesk } from "../state/context.ts";
import { linkTo } from "../state/place.ts";
import { Facts } from "./Facts.tsx";
import { Fault } from "./Fault.tsx";
import type { PartnerPart } from "./partner-part.ts";
import { PartnerCaps } from "./PartnerCaps.tsx";
import { PartnerTokens } from "./PartnerTokens.tsx";
import { PartnerWebhooks } from "./PartnerWebhooks.tsx";

/** A partner with all that is known of them. @param problem why that could not be read anew */
export function PartnerFile({ problem, ...part }: PartnerPart & { problem: PageProblem | undefined }) {
  const { say } = useDesk();
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
            [say("console.partners.pays"), say(`console.partners.pays.${paidBy ?? "nobody"}`)],
            [
              say("console.partners.spent"),
              say("privacy.sums_of", { jobs: spent.jobs, tokens: spent.tokens }),
            ],
            [say("console.partners.failed"), spent.jobs - spent.successes],
          ]}
        />
      </section>
      <PartnerCaps {...part} />
      <PartnerTokens {...part} />
      <PartnerWebhooks {...part} />
    </article>
  );
}
