import { useState } from "preact/hooks";
import type { JobAct, JobFile } from "../../../../../src/seam/access/console.ts";
import { posting } from "../../src/state/ask.ts";
import { useDesk } from "../state/context.ts";
import { useChange } from "../state/useChange.ts";
import { ConfirmedActions } from "./ConfirmedActions.tsx";
import { Outcome } from "./Outcome.tsx";

/** What may be done with a job as it is now; each says what comes of it before it is done. */
export function JobActions({ file, onDone }: { file: JobFile; onDone: () => void }) {
  const { ask, say } = useDesk();
  const [note, setNote] = useState("");
  const { busy, change, outcome } = useChange(onDone);
  const { state, delivery } = file;

  const act = (chosen: JobAct) =>
    change(async () => {
      const said = chosen === "note" ? { note: note.trim() } : {};
      await ask(
        `jobs/${encodeURIComponent(file.id)}/${chosen}`,
        posting({ seen: { state, delivery }, ...said }),
      );
      setNote("");
    });
  const actions = file.acts
    .filter((one) => one !== "note")
    .map((one) => ({
      id: one,
      label: say(`console.act.${one}`),
      asks: say(`console.confirm.${one}`),
      destroys: one === "cancel",
      onDo: () => act(one),
    }));
  return (
    <section class="part">
      <h2>{say("console.acts")}</h2>
      {actions.length > 0 && <ConfirmedActions name={say("console.acts")} actions={actions} />}
      <form
        class="finder"
        onSubmit={(event) => {
          event.preventDefault();
          act("note");
        }}
      >
        <label class="field">
          <span class="field-label">{say("console.note")}</span>
          <input
            type="text"
            required
            maxLength={2_000}
            value={note}
            onInput={(event) => setNote(event.currentTarget.value)}
          />
          <span class="hint">{say("console.note.hint")}</span>
        </label>
        <button type="submit" class="button" disabled={busy}>
          {say("console.act.note")}
        </button>
      </form>
      <Outcome {...outcome} />
    </section>
  );
}
