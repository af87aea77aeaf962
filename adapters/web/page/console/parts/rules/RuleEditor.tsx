import { useId, useState } from "preact/hooks";
import type { Rule } from "../../../../../../src/seam/surface/rules.ts";
import type { Remark } from "../../../../../../src/seam/surface/setup.ts";
import type { RuleRefused } from "../../../../console/wire.ts";
import type { PageProblem } from "../../../../wire.ts";
import { problemOf } from "../../../src/state/api.ts";
import { posting } from "../../../src/state/ask.ts";
import { useDesk } from "../../state/context.ts";
import { useTask } from "../../state/useTask.ts";
import { ConfirmedActions } from "../ConfirmedActions.tsx";
import { Outcome } from "../Outcome.tsx";
import { operatorText } from "../words.ts";
import { RuleField } from "./RuleField.tsx";
import { inForceOf, valueText } from "./rule-words.ts";

/** Changes a rule: each press says first what comes of it. */
export function RuleEditor(props: { rule: Rule; label: string; onChanged: () => void }) {
  const desk = useDesk();
  const { ask, say } = desk;
  const { rule: shown, label, onChanged } = props;
  /** What a refusal told that somebody else made of it: what is shown is read anew a moment later. */
  const [told, setTold] = useState<{ readonly over: number; readonly rule: Rule }>();
  const rule = told?.over === shown.version ? told.rule : shown;
  const { kind, name, changes, fallback, from, version } = rule;
  const id = useId();
  const inForce = inForceOf(rule);
  /** Undefined: of those that are to be listed, none is yet. */
  const [entered, setEntered] = useState<string | undefined>(rule.value ?? fallback);
  const [wrong, setWrong] = useState<string>();
  const [isDone, setIsDone] = useState(false);
  /** Another each time that something else is entered: what was said of the former is said no longer. */
  const [edit, setEdit] = useState(0);
  const { problem, run } = useTask();

  /** Runs something about a new value, and says what is wrong with that. */
  const refusing = async (work: () => Promise<void>) => {
    setIsDone(false);
    setWrong(undefined);
    try {
      await work();
    } catch (error) {
      const refused: PageProblem & Omit<RuleRefused, "code" | "params"> = problemOf(error);
      if (refused.wrong) setWrong(sentence(refused.wrong));
      else if (refused.rule) {
        setWrong(staleText(refused.rule));
        setTold({ over: shown.version, rule: refused.rule });
      } else throw error;
    }
  };
  const put = (value: string | null) =>
    run(async () => {
      await refusing(async () => {
        await ask<Rule>(`rules/${name}`, {
          method: "PUT",
          headers: { "content-type": "application/json", "if-match": `"${version}"` },
          body: JSON.stringify({ value }),
        });
        setEntered(kind === "secret" ? "" : (value ?? fallback));
        setIsDone(true);
      }).finally(onChanged);
    });
  /** What would be refused is not agreed to, but refused at once. */
  const check = (value: string | null, onGood: () => void) =>
    run(() =>
      refusing(async () => {
        await ask(`rules/${name}/check`, posting({ value }), "asked_lost");
        onGood();
      }),
    );

  const sentence = ({ key, params }: Remark) => say(key, params);
  const staleText = (other: Rule) =>
    say("console.rules.stale", {
      by: operatorText(desk, other.changes[0]?.by ?? null),
      value: valueText(say, other, inForceOf(other)),
    });
  /** What comes of a value. */
  const sure = (value: string | null) =>
    [
      say("console.rules.sure", {
        // What is left empty is as if it had never been set.
        to: valueText(say, rule, kind === "secret" && value ? undefined : value || fallback),
        from: valueText(say, rule, inForce),
      }),
      say(`console.rules.counts.${rule.counts}`),
    ].join(" ");

  const enter = (value: string | undefined) => {
    setEntered(value);
    setWrong(undefined);
    setEdit((before) => before + 1);
  };
  const former = changes[0]?.from;
  const meant = entered?.trim();
  const isOther = meant !== undefined && (kind === "secret" ? meant !== "" : (meant || fallback) !== inForce);
  const setting = (id: "save" | "undo" | "reset", value: string | null) => ({
    id,
    label: say(`console.rules.${id}`),
    asks: sure(value),
    check: (onGood: () => void) => check(value, onGood),
    onEnter: id === "save",
    onDo: () => put(value),
  });
  const actions = [
    ...(isOther ? [setting("save", meant)] : []),
    ...(former !== undefined && (former ?? fallback) !== inForce ? [setting("undo", former)] : []),
    ...(from === "stored" ? [setting("reset", null)] : []),
  ];
  return (
    <form onSubmit={(event) => event.preventDefault()}>
      <RuleField rule={rule} id={id} value={entered} isWrong={wrong !== undefined} onEnter={enter} />
      {wrong !== undefined && (
        <p class="fault" id={`${id}-wrong`} role="alert">
          {wrong}
        </p>
      )}
      {actions.length > 0 && <ConfirmedActions key={edit} name={label} actions={actions} />}
      <Outcome problem={problem} done={isDone ? "console.done" : undefined} />
    </form>
  );
}
