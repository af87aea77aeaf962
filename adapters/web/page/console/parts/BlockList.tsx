import { useState } from "preact/hooks";
import type { Block } from "../../../../../src/seam/access/safety.ts";
import { posting } from "../../src/state/ask.ts";
import { useDesk } from "../state/context.ts";
import { linkTo } from "../state/place.ts";
import { useChange } from "../state/useChange.ts";
import { ConfirmedActions } from "./ConfirmedActions.tsx";
import { Outcome } from "./Outcome.tsx";
import { type Column, Table } from "./Table.tsx";
import { atStart, personText, timeText } from "./words.ts";

/** Who is kept out, by whom and why; those that whoever runs Reelay keeps out can be let in again. */
export function BlockList({ blocks, onChanged }: { blocks: readonly Block[]; onChanged: () => void }) {
  const desk = useDesk();
  const { ask, say, locale, may } = desk;
  const { change, outcome } = useChange(onChanged);
  const lift = (subject: string) => change(() => ask("blocks/lift", posting({ subject })));
  const byText = (by: Block["by"]) =>
    by === undefined || by === "partner"
      ? say(`console.people.by.${by ?? "operator"}`)
      : say("console.people.by.group", { group: by });
  const columns: Column<Block>[] = [
    {
      title: "console.column.who",
      cell: ({ subject }) => <a href={linkTo("people", subject)}>{personText(desk, subject)}</a>,
    },
    { title: "console.column.time", cell: ({ at }) => timeText(locale, at) },
    { title: "console.people.reason", cell: ({ reason }) => reason ?? "–" },
    {
      title: "console.people.by",
      cell: ({ by }) => atStart(locale, byText(by)),
    },
    {
      title: "console.acts",
      cell: ({ subject, by }) =>
        // What a partner or a group decides for themselves is theirs.
        by === undefined ? (
          <ConfirmedActions
            name={personText(desk, subject)}
            actions={[{ id: "lift", label: say("action.unblock"), onDo: () => lift(subject) }]}
          />
        ) : (
          "–"
        ),
    },
  ];
  return (
    <>
      {may("manage-people") && <BlockForm onChanged={onChanged} />}
      <Table
        caption={say("console.people.blocks")}
        columns={may("manage-people") ? columns : columns.slice(0, -1)}
        rows={blocks}
        keyOf={({ subject, by }) => `${subject} ${by ?? ""}`}
        none={say("block.none")}
      />
      <Outcome {...outcome} />
    </>
  );
}

function BlockForm({ onChanged }: { onChanged: () => void }) {
  const { ask, say } = useDesk();
  const [subject, setSubject] = useState("");
  const [reason, setReason] = useState("");
  const { busy, change, outcome } = useChange(onChanged);
  const block = () =>
    change(async () => {
      await ask("blocks", posting({ subject, reason: reason.trim() }));
      setSubject("");
      setReason("");
    });
  return (
    <section class="part">
      <h2>{say("console.people.block")}</h2>
      <form
        class="finder"
        onSubmit={(event) => {
          event.preventDefault();
          block();
        }}
      >
        <label class="field">
          <span class="field-label">{say("console.column.who")}</span>
          <input
            type="text"
            required
            maxLength={200}
            value={subject}
            onInput={(event) => setSubject(event.currentTarget.value)}
          />
          <span class="hint">{say("console.people.who")}</span>
        </label>
        <label class="field">
          <span class="field-label">{say("console.people.reason")}</span>
          <input
            type="text"
            maxLength={500}
            value={reason}
            onInput={(event) => setReason(event.currentTarget.value)}
          />
          <span class="hint">{say("console.people.reason.hint")}</span>
        </label>
        <button type="submit" class="button danger" disabled={busy}>
          {say("console.people.block.submit")}
        </button>
      </form>
      <Outcome {...outcome} />
    </section>
  );
}
