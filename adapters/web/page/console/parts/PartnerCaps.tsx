import type { Partner } from "../../../../../src/seam/access/partners.ts";
import { posting } from "../../src/state/ask.ts";
import { useDesk } from "../state/context.ts";
import { useChange } from "../state/useChange.ts";
import { Facts } from "./Facts.tsx";
import { Outcome } from "./Outcome.tsx";
import type { PartnerPart } from "./partner-part.ts";

const CAPS = [
  ["day", "console.partners.cap.day"],
  ["month", "console.partners.cap.month"],
  ["atOnce", "console.partners.cap.at_once"],
  ["dayTokens", "console.partners.cap.day_tokens"],
  ["monthTokens", "console.partners.cap.month_tokens"],
] as const;

const WHOSE = [
  ["caps", "console.partners.caps"],
  ["userCaps", "console.partners.user_caps"],
] as const;

/** What a partner is held to; a form for who may change it. */
export function PartnerCaps({ card, onChanged }: PartnerPart) {
  const { ask, say, may } = useDesk();
  const { partner, version } = card;
  const { busy, change, outcome } = useChange(onChanged);
  const save = (changed: object) =>
    change(() => ask(`partners/${partner.id}/settings`, posting({ version, ...changed })));
  return (
    <section class="part">
      <h2>{say("console.partners.caps.title")}</h2>
      {may("manage-partners") ? (
        // Whoever filled in a form that is stale by now sees what is so instead.
        <CapsForm key={version} partner={partner} busy={busy} onSave={save} />
      ) : (
        <CapsShown partner={partner} />
      )}
      <Outcome {...outcome} />
    </section>
  );
}

function CapsForm(props: { partner: Partner; busy: boolean; onSave: (changed: object) => void }) {
  const { say } = useDesk();
  const { partner, busy, onSave } = props;
  return (
    <form
      class="caps"
      onSubmit={(event) => {
        event.preventDefault();
        const given = new FormData(event.currentTarget);
        onSave({
          caps: capsIn(given, "caps"),
          userCaps: capsIn(given, "userCaps"),
          requestsPerMinute: Number(given.get("rate")),
        });
      }}
    >
      <p class="hint">{say("console.partners.caps.hint")}</p>
      {WHOSE.map(([whose, title]) => (
        <fieldset key={whose}>
          <legend class="field-label">{say(title)}</legend>
          <div class="fields">
            {CAPS.map(([cap, label]) => (
              <label class="field" key={cap}>
                <span class="hint">{say(label)}</span>
                <input
                  name={`${whose}.${cap}`}
                  type="number"
                  min={0}
                  // Tokens have two decimals, and more of them may be spent than jobs begun.
                  max={isTokens(cap) ? 1_000_000_000 : 1_000_000}
                  step={isTokens(cap) ? 0.01 : 1}
                  defaultValue={String(partner[whose][cap] ?? "")}
                />
              </label>
            ))}
          </div>
        </fieldset>
      ))}
      <div class="fields">
        <label class="field">
          <span class="field-label">{say("console.partners.rate")}</span>
          <input
            name="rate"
            type="number"
            min={1}
            max={100_000}
            required
            defaultValue={String(partner.requestsPerMinute)}
          />
        </label>
      </div>
      <div class="actions">
        <button type="submit" class="button primary" disabled={busy}>
          {say("console.partners.save")}
        </button>
      </div>
    </form>
  );
}

function CapsShown({ partner }: { partner: Partner }) {
  const { say } = useDesk();
  const shown = WHOSE.map(([whose, title]): readonly [string, string] => {
    const set = CAPS.flatMap(([cap, label]) => {
      const max = partner[whose][cap];
      return max === undefined ? [] : `${say(label)}: ${say("fact.number", { count: max })}`;
    });
    return [say(title), set.join(" · ") || say("console.partners.caps.none")];
  });
  return <Facts facts={[...shown, [say("console.partners.rate"), partner.requestsPerMinute]]} />;
}

const isTokens = (cap: string) => cap.endsWith("Tokens");

/** What stands in the fields; an empty one takes its cap away. */
function capsIn(given: FormData, whose: string) {
  return Object.fromEntries(
    CAPS.map(([cap]) => {
      const text = given.get(`${whose}.${cap}`);
      return [cap, text === "" ? null : Number(text)];
    }),
  );
}
