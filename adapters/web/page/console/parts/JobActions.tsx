import { useState } from "preact/hooks";
import type { JobAct, JobFile } from "../../../../../src/seam/access/console.ts";
import { posting } from "../../src/state/ask.ts";
import { useDesk } from "../state/context.ts";
import { Fault } from "./Fault.tsx";
import { useTask } from "../state/useTask.ts";

/** What may be done with a job as it is now; each says what comes of it before it is done. */
export function JobActions({ file, onDone }: { file: JobFile; onDone: () => void }) {
  const { ask, say } = useDesk();
  const [asking, setAsking] = useState<JobAct>();
  const [done, setDone] = useState(false);
  const [note, setNote] = useState("");
  const { busy, problem, run } = useTask();
  const { state, delivery } = file;

  const act = (chosen: JobAct) =>
    run(async () => {
      const said = chosen === "note" ? { note: note.trim() } : {};
      await ask(
        `jobs/${encodeURIComponent(file.id)}/${chosen}`,
        posting({ seen: { state, delivery }, ...said }),
      );
      setAsking(undefined);
      setDone(true);
      setNote("");
      onDone();
    });
  const buttons = file.acts.filter((one) => one !== "note");
  return (
    <section class="part">
      <h2>{say("console.acts")}</h2>
      {buttons.length > 0 && (
        <div class="actions">
          {buttons.map((one) => (
            <button
              key={one}
              type="button"
              class={one === "cancel" ? "button danger" : "button"}
              aria-expanded={asking === one}
              onClick={() => setAsking(asking === one ? undefined : one)}
            >
              {say(`console.act.${one}`)}
            </button>
          ))}
        </div>
      )}
      {asking && (
        <div class="confirm" role="group" aria-label={say(`console.act.${asking}`)}>
          <p>{say(`console.confirm.${asking as Exclude<JobAct, "note">}`)}</p>
          <div class="actions">
            <button type="button" class="button primary" disabled={busy} onClick={() => act(asking)}>
              {say("console.confirm")}
            </button>
            <button type="button" class="button" onClick={() => setAsking(undefined)}>
              {say("page.cancel")}
            </button>
          </div>
        </div>
      )}
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
      <Fault problem={problem} />
      {done && !problem && (
        <p class="hint" role="status">
          {say("console.done")}
        </p>
      )}
    </section>
  );
}
