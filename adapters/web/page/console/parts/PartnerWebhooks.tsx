import type { Translate } from "../../../../../src/common/i18n.ts";
import type { PartnerCard, ShownDelivery, ShownEndpoint } from "../../../console/people-wire.ts";
import { posting } from "../../src/state/ask.ts";
import { useDesk } from "../state/context.ts";
import { useChange } from "../state/useChange.ts";
import { ConfirmedActions } from "./ConfirmedActions.tsx";
import { JobLink } from "./JobTable.tsx";
import { Outcome } from "./Outcome.tsx";
import type { PartnerPart } from "./partner-part.ts";
import { type Column, Table } from "./Table.tsx";
import { atStart, timeText } from "./words.ts";

/** How a partner's webhooks do, in a word or two. */
export function webhookText(
  say: Translate,
  { endpoints, deliveries }: Pick<PartnerCard, "endpoints" | "deliveries">,
): string {
  if (endpoints.length + deliveries.length === 0) return "–";
  const gone = endpoints.find(({ disabledBecause }) => disabledBecause === "gone");
  if (gone) return endpointText(say, gone);
  const failed = deliveries.filter(({ state }) => state === "failed").length;
  return failed > 0
    ? say("console.partners.webhook.failed", { failed, all: deliveries.length })
    : say("console.health.works");
}

/** Where a partner is told what happened, and the latest messages. */
export function PartnerWebhooks({ card, onChanged }: PartnerPart) {
  const { ask, say, locale, may } = useDesk();
  const { partner, endpoints, deliveries } = card;
  const { change, outcome } = useChange(onChanged);
  const resend = (id: string) =>
    change(() => ask(`partners/${partner.id}/deliveries/${encodeURIComponent(id)}/resend`, posting({})));
  const columns: Column<ShownDelivery>[] = [
    { title: "console.column.time", cell: ({ createdAt }) => timeText(locale, createdAt) },
    { title: "console.partners.message", cell: ({ type }) => type },
    { title: "console.column.job", cell: ({ job }) => (job === null ? "–" : <JobLink job={job} />) },
    { title: "console.partners.to", cell: ({ host }) => host },
    {
      title: "console.column.state",
      cell: ({ state, last }) =>
        [atStart(locale, say(`console.partners.state.${state}`)), ...(last === null ? [] : [last])].join(
          " · ",
        ),
    },
    { title: "console.partners.tries", isNumber: true, cell: ({ tries }) => tries },
    {
      title: "console.acts",
      cell: ({ id }) => (
        <ConfirmedActions
          name={id}
          actions={[{ id: "resend", label: say("console.partners.resend"), onDo: () => resend(id) }]}
        />
      ),
    },
  ];
  return (
    <>
      <section class="part">
        <h2>{say("console.partners.webhooks")}</h2>
        {endpoints.length === 0 && <p class="hint">{say("console.none")}</p>}
        <ul class="rows">
          {endpoints.map((endpoint) => (
            <li key={endpoint.id}>
              {endpoint.host}
              <p class="hint">{atStart(locale, endpointText(say, endpoint))}</p>
            </li>
          ))}
        </ul>
        <Outcome {...outcome} />
      </section>
      <Table
        caption={say("console.partners.deliveries")}
        columns={may("manage-partners") ? columns : columns.slice(0, -1)}
        rows={deliveries}
        keyOf={({ id }) => id}
      />
    </>
  );
}

const endpointText = (say: Translate, { disabledAt, disabledBecause }: ShownEndpoint) =>
  say(
    disabledAt === null
      ? "console.partners.webhook.on"
      : disabledBecause === "gone"
        ? "console.partners.webhook.gone"
        : "console.partners.webhook.off",
  );
