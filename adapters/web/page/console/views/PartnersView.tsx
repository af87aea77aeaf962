import { useState } from "preact/hooks";
import type { FreshTokenShown, PartnerCard } from "../../../console/people-wire.ts";
import { posting } from "../../src/state/ask.ts";
import { Fault } from "../parts/Fault.tsx";
import { Outcome } from "../parts/Outcome.tsx";
import { PartnerFile } from "../parts/PartnerFile.tsx";
import { webhookText } from "../parts/PartnerWebhooks.tsx";
import { ShownOnce } from "../parts/ShownOnce.tsx";
import { type Column, Table } from "../parts/Table.tsx";
import { useDesk } from "../state/context.ts";
import { atStart } from "../parts/words.ts";
import { linkTo } from "../state/place.ts";
import { useChange } from "../state/useChange.ts";
import { useShown } from "../state/useShown.ts";

/** Who puts Reelay behind an app of theirs: all of them, or one with everything about them. @param what the id of that one */
export function PartnersView({ what }: { what: string }) {
  const { ask, say, may } = useDesk();
  const { value: cards, problem, again } = useShown(() => ask<readonly PartnerCard[]>("partners"));
  const card = cards?.find(({ partner }) => partner.id === what);
  if (card) return <PartnerFile key={what} card={card} problem={problem} onChanged={again} />;
  return (
    <>
      <Fault problem={problem ?? (cards && what !== "" ? { code: "not_found", params: {} } : undefined)} />
      {!cards && !problem && <p class="hint">{say("page.opening")}</p>}
      {cards && <PartnerTable cards={cards} />}
      {cards && may("manage-partners") && <NewPartner onAdded={again} />}
    </>
  );
}

function PartnerTable({ cards }: { cards: readonly PartnerCard[] }) {
  const { say, locale } = useDesk();
  const columns: Column<PartnerCard>[] = [
    {
      title: "console.partners.name",
      cell: ({ partner }) => <a href={linkTo("partners", partner.id)}>{partner.name}</a>,
    },
    {
      title: "console.partners.pays",
      cell: ({ paidBy }) => atStart(locale, say(`console.partners.pays.${paidBy ?? "nobody"}`)),
    },
    { title: "console.column.count", isNumber: true, cell: ({ spent }) => spent.jobs },
    {
      title: "console.fact.cost",
      isNumber: true,
      cell: ({ spent }) => say("fact.tokens", { tokens: spent.tokens }),
    },
    {
      title: "console.partners.failed",
      isNumber: true,
      cell: ({ spent }) => spent.jobs - spent.completed,
    },
    { title: "console.partners.webhooks", cell: (card) => atStart(locale, webhookText(say, card)) },
  ];
  return (
    <Table
      caption={say("console.partners.list")}
      columns={columns}
      rows={cards}
      keyOf={({ partner }) => partner.id}
      none={say("console.partners.none")}
    />
  );
}

function NewPartner({ onAdded }: { onAdded: () => void }) {
  const { ask, say } = useDesk();
  const [name, setName] = useState("");
  const [key, setKey] = useState("");
  const [token, setToken] = useState<string>();
  const { busy, change, outcome } = useChange(onAdded);
  const add = () =>
    change(async () => {
      const given = { name: name.trim(), ...(key.trim() !== "" && { key: key.trim() }) };
      setToken((await ask<FreshTokenShown>("partners", posting(given))).token);
      setName("");
      setKey("");
    });
  return (
    <section class="part">
      <h2>{say("console.partners.add")}</h2>
      <form
        class="finder"
        onSubmit={(event) => {
          event.preventDefault();
          add();
        }}
      >
        <label class="field">
          <span class="field-label">{say("console.partners.name")}</span>
          <input
            type="text"
            required
            maxLength={80}
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </label>
        <label class="field">
          <span class="field-label">{say("console.partners.key")}</span>
          <input
            type="password"
            autocomplete="off"
            maxLength={512}
            value={key}
            onInput={(event) => setKey(event.currentTarget.value)}
          />
          <span class="hint">{say("console.partners.key.hint")}</span>
        </label>
        <button type="submit" class="button primary" disabled={busy}>
          {say("console.partners.add.submit")}
        </button>
      </form>
      <Outcome {...outcome} />
      {token !== undefined && (
        <ShownOnce key={token} text={token} about={say("console.partners.token.once")} />
      )}
    </section>
  );
}
