import { useState } from "preact/hooks";
import type { KeyCard } from "../../../../../../src/seam/access/key-pool.ts";
import { posting } from "../../../src/state/ask.ts";
import { useDesk } from "../../state/context.ts";
import { useChange } from "../../state/useChange.ts";
import { Outcome } from "../Outcome.tsx";
import { type EnteredSettings, SettingFields } from "./SettingFields.tsx";

const NOTHING: EnteredSettings = { weight: 1, tier: null };

/** Adds a key: entered once, tried out at the service, and never shown. */
export function NewKey({ onAdded }: { onAdded: () => void }) {
  const { ask, say } = useDesk();
  const [name, setName] = useState("");
  const [key, setKey] = useState("");
  const [settings, setSettings] = useState(NOTHING);
  const { busy, change, outcome } = useChange(onAdded);
  const add = () =>
    change(async () => {
      await ask<KeyCard>("keys", posting({ name: name.trim(), key: key.trim(), ...settings }));
      setName("");
      setKey("");
      setSettings(NOTHING);
    }, "console.keys.added");
  return (
    <section class="part">
      <h2>{say("console.keys.add")}</h2>
      <form
        class="caps"
        onSubmit={(event) => {
          event.preventDefault();
          add();
        }}
      >
        <div class="fields wide">
          <label class="field">
            <span class="field-label">{say("console.partners.name")}</span>
            <input
              type="text"
              required
              maxLength={40}
              autocomplete="off"
              autocapitalize="none"
              spellcheck={false}
              value={name}
              onInput={(event) => setName(event.currentTarget.value)}
            />
            <span class="hint">{say("console.keys.name.hint")}</span>
          </label>
          <label class="field">
            <span class="field-label">{say("field.key")}</span>
            <input
              type="password"
              required
              autocomplete="new-password"
              maxLength={512}
              value={key}
              onInput={(event) => setKey(event.currentTarget.value)}
            />
            <span class="hint">{say("console.partners.key.new.hint")}</span>
          </label>
          <SettingFields value={settings} onEnter={setSettings} />
        </div>
        <div class="actions">
          <button type="submit" class="button primary" disabled={busy}>
            {say("console.partners.add.submit")}
          </button>
        </div>
      </form>
      <Outcome {...outcome} />
    </section>
  );
}
