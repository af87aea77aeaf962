import { useState } from "preact/hooks";
import type { KeyCard } from "../../../../../../src/seam/access/key-pool.ts";
import { useDesk } from "../../state/context.ts";
import { Outcome } from "../Outcome.tsx";
import { type EnteredSettings, SettingFields } from "./SettingFields.tsx";
import { useKeyChange } from "./useKeyChange.ts";

/** Says how much a key is given, and what its account has subscribed to. */
export function KeyEditor({ card, onChanged }: { card: KeyCard; onChanged: () => void }) {
  const { say } = useDesk();
  const { weight, tier } = card;
  const [entered, setEntered] = useState<EnteredSettings>({ weight, tier });
  // What is entered was entered over this, whatever the page has shown since.
  const [seen, setSeen] = useState(card.version);
  const { busy, put, outcome, stale } = useKeyChange(card.name, onChanged);
  const save = () => put({ method: "PUT", body: entered, seen }, ({ version }) => setSeen(version));
  return (
    <form
      class="caps"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <SettingFields value={entered} onEnter={setEntered} />
      {stale !== undefined && (
        <p class="fault" role="alert">
          {stale}
        </p>
      )}
      <div class="actions">
        <button type="submit" class="button primary" disabled={busy}>
          {say("console.rules.save")}
        </button>
      </div>
      <Outcome {...outcome} />
    </form>
  );
}
