import { messageKey } from "../../../../../../src/common/i18n.ts";
import type { AlertEntry } from "../../../../../../src/seam/access/alerts.ts";
import { useDesk } from "../../state/context.ts";
import { linkTo } from "../../state/place.ts";
import { timeText } from "../words.ts";

/** What is not as it should be: since when, and what to do. @param alerts null: nobody looks for that */
export function Alerts({ alerts }: { alerts: readonly AlertEntry[] | null }) {
  const { say, locale, may } = useDesk();
  return (
    <section class="part">
      <h2>{say("console.alerts")}</h2>
      {alerts === null ? (
        <p class="hint">
          {say("console.alerts.off")}{" "}
          {may("change-rule") && <a href={linkTo("rules")}>{say("console.alerts.set")}</a>}
        </p>
      ) : alerts.length === 0 ? (
        <p class="hint">{say("console.alerts.none")}</p>
      ) : (
        <ul class="health alerts">
          {alerts.map(({ kind, params, since }) => (
            <li key={`${kind} ${since}`} class="bad">
              <b>{say("console.alerts.since", { at: timeText(locale, since) })}</b>
              <span>{say(messageKey(`alert.${kind}`), params)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
