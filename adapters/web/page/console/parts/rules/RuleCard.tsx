import { useState } from "preact/hooks";
import { messageKey } from "../../../../../../src/common/i18n.ts";
import type { Rule } from "../../../../../../src/seam/surface/rules.ts";
import { useDesk } from "../../state/context.ts";
import { Facts } from "../Facts.tsx";
import { RuleEditor } from "./RuleEditor.tsx";
import { inForceOf, valueText } from "./rule-words.ts";
import { operatorText, timeText } from "../words.ts";

/** A rule: what it is, who says so, and who changed it; an editor for who may change it. */
export function RuleCard({ rule, onChanged }: { rule: Rule; onChanged: () => void }) {
  const { say, may } = useDesk();
  const [isOpen, setIsOpen] = useState(false);
  const { name, from, isPlace, unused } = rule;
  const label = say(messageKey(`setup.field.${name}`));
  const isOpenable = may("change-rule") && from !== "environment" && !isPlace;
  return (
    <article class="rule" aria-label={label}>
      <h3>{label}</h3>
      <p class="hint">
        {say(messageKey(`setup.hint.${name}`))} <code>{name}</code>
      </p>
      <Facts
        facts={[
          [say("console.rules.now"), <strong>{valueText(say, rule, inForceOf(rule))}</strong>],
          [say("console.rules.from"), say(`console.rules.from.${from}`)],
        ]}
      />
      {unused && <p class="fault">{say(unused.key, unused.params)}</p>}
      {isPlace && from === "default" && <p class="hint">{say("setup.wrong.machine")}</p>}
      {isOpenable && (
        <details open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
          <summary class="link">{say("console.rules.change")}</summary>
          {isOpen && <RuleEditor rule={rule} label={label} onChanged={onChanged} />}
        </details>
      )}
      <History rule={rule} />
    </article>
  );
}

/** Who changed it, and when: as far as the audit is kept. */
function History({ rule }: { rule: Rule }) {
  const desk = useDesk();
  const { say, locale } = desk;
  if (rule.changes.length === 0) return null;
  return (
    <details>
      <summary class="link">{say("console.rules.history")}</summary>
      <ul class="changes">
        {rule.changes.map(({ at, by, from, to }) => (
          <li key={at}>
            <span class="hint">
              {timeText(locale, at)} · {operatorText(desk, by)}
            </span>{" "}
            {from === undefined || to === undefined
              ? say("console.rules.changed")
              : `${valueText(say, rule, from ?? rule.fallback)} → ${valueText(say, rule, to ?? rule.fallback)}`}
          </li>
        ))}
      </ul>
    </details>
  );
}
