import { useState } from "preact/hooks";
import type { Rule } from "../../../../../../src/seam/surface/rules.ts";
import { useDesk } from "../../state/context.ts";
import { valueText } from "./rule-words.ts";

interface FieldProps {
  rule: Rule;
  id: string;
  value: string | undefined;
  isWrong: boolean;
  onEnter: (value: string | undefined) => void;
}

/** Where a rule's new value is entered: a choice, everybody or some, or a line of text. */
export function RuleField(props: FieldProps) {
  const { say } = useDesk();
  const { rule, id, value, isWrong, onEnter } = props;
  const { kind, choices, fallback } = rule;
  const described = { "aria-describedby": isWrong ? `${id}-wrong` : undefined, "aria-invalid": isWrong };
  if (kind === "people") return <People {...props} />;
  return (
    <label class="field">
      <span class="field-label">{say("console.rules.new")}</span>
      {kind === "choice" ? (
        <select {...described} value={value ?? ""} onChange={(event) => onEnter(event.currentTarget.value)}>
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {valueText(say, rule, choice)}
            </option>
          ))}
        </select>
      ) : kind === "secret" ? (
        <input
          {...described}
          type="password"
          autocomplete="new-password"
          value={value ?? ""}
          onInput={(event) => onEnter(event.currentTarget.value)}
        />
      ) : (
        <input
          {...described}
          type="text"
          inputMode={kind === "number" ? "numeric" : kind === "tokens" ? "decimal" : "text"}
          autocomplete="off"
          spellcheck={false}
          placeholder={fallback}
          value={value ?? ""}
          onInput={(event) => onEnter(event.currentTarget.value)}
        />
      )}
    </label>
  );
}

/** Everybody, nobody, or only some. */
function People({ rule, id, value, isWrong, onEnter }: FieldProps) {
  const { say } = useDesk();
  const [who, setWho] = useState(value === "all" || value === "" ? value : "list");
  const choose = (chosen: string) => {
    setWho(chosen);
    onEnter(chosen === "list" ? undefined : chosen);
  };
  return (
    <>
      <label class="field">
        <span class="field-label">{say("console.rules.new")}</span>
        <select value={who ?? ""} onChange={(event) => choose(event.currentTarget.value)}>
          {rule.fallback === "" && <option value="">{say("setup.people.nobody")}</option>}
          <option value="all">{say("setup.people.all")}</option>
          <option value="list">{say("setup.people.list")}</option>
        </select>
      </label>
      {who === "list" && (
        <label class="field">
          <span class="field-label">{say("setup.people.list")}</span>
          <input
            type="text"
            aria-describedby={isWrong ? `${id}-wrong` : undefined}
            aria-invalid={isWrong}
            autocomplete="off"
            spellcheck={false}
            placeholder="telegram:12345,discord:98765"
            value={value ?? ""}
            onInput={(event) => onEnter(event.currentTarget.value.trim() || undefined)}
          />
        </label>
      )}
    </>
  );
}
