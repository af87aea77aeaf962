import { KEY_TIERS, KEY_WEIGHT, type KeyTier } from "../../../../../../src/seam/access/key-pool.ts";
import { useDesk } from "../../state/context.ts";
import { tierText } from "./key-words.ts";

/** What may be said of a key, as it is entered. */
export interface EnteredSettings {
  readonly weight: number;
  readonly tier: KeyTier | null;
}

/** Where a key's weight and subscription are entered. */
export function SettingFields(props: { value: EnteredSettings; onEnter: (value: EnteredSettings) => void }) {
  const { say } = useDesk();
  const { value, onEnter } = props;
  return (
    <>
      <label class="field">
        <span class="field-label">{say("console.keys.weight")}</span>
        <input
          type="number"
          required
          min={KEY_WEIGHT.min}
          max={KEY_WEIGHT.max}
          step={1}
          value={Number.isNaN(value.weight) ? "" : value.weight}
          onInput={(event) => onEnter({ ...value, weight: event.currentTarget.valueAsNumber })}
        />
        <span class="hint">{say("console.keys.weight.hint")}</span>
      </label>
      <label class="field">
        <span class="field-label">{say("console.keys.tier")}</span>
        <select
          value={value.tier ?? ""}
          onChange={(event) => {
            const chosen = event.currentTarget.value;
            onEnter({ ...value, tier: KEY_TIERS.find((tier) => tier === chosen) ?? null });
          }}
        >
          <option value="">{tierText(say, null)}</option>
          {KEY_TIERS.map((tier) => (
            <option key={tier} value={tier}>
              {tierText(say, tier)}
            </option>
          ))}
        </select>
        <span class="hint">{say("console.keys.tier.hint")}</span>
      </label>
    </>
  );
}
