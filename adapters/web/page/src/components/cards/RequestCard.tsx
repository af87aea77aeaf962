import type { FieldSpec } from "../../../../../../src/seam/fields.ts";
import { mediaIn, type Value, type Values } from "../../../../../../src/seam/values.ts";
import type { PageRequest } from "../../../../wire.ts";
import { useCatalogue } from "../../state/catalogue.ts";
import { useChat } from "../../state/context.ts";
import { isWords, textOf } from "../../form/fields.ts";
import { choiceText } from "../../view/sentences.ts";
import { Icon } from "../base/Icon.tsx";
import { RequestFiles } from "./RequestFiles.tsx";

/** What the person asked for: pictures, words, and the rest as small print. */
export function RequestCard({ request }: { request: PageRequest }) {
  const { say, session, compose } = useChat();
  const { command, values } = request;
  const spec = session.commands.find(({ name }) => name === command);
  const given = spec?.fields.filter(({ name }) => values[name] !== undefined) ?? [];
  const texts = given.filter(isWords);
  const choices = given.filter(
    (field) =>
      mediaIn(values[field.name]).length === 0 && !isWords(field) && values[field.name] !== field.default,
  );
  if (spec?.kind !== "operation") return <p class="text">{spec ? say(spec.label) : command}</p>;
  return (
    <>
      <RequestFiles fields={given} values={values} />
      {texts.map(({ name }) => (
        <p key={name} class="text" dir="auto">
          {textOf(values[name])}
        </p>
      ))}
      {choices.length > 0 && (
        <ul class="choices">
          {choices.map((field) => (
            <Chosen key={field.name} operation={command} field={field} values={values} />
          ))}
        </ul>
      )}
      <button type="button" class="link reuse" onClick={() => compose({ operation: command, values })}>
        <Icon name="edit" />
        {say("page.reuse")}
      </button>
    </>
  );
}

function Chosen({ operation, field, values }: { operation: string; field: FieldSpec; values: Values }) {
  const { say } = useChat();
  const value = values[field.name];
  const parent = field.within === undefined ? undefined : values[field.within];
  const entries = useCatalogue(operation, field.control === "catalogue" ? field : undefined, parent);
  const title = entries?.find((entry) => entry.value === value)?.title;
  return (
    <li>
      <span>{say(field.label)}</span> <b>{title ?? valueText(value)}</b>
    </li>
  );

  function valueText(given: Value | undefined): string {
    if (typeof given === "boolean") return say(given ? "page.on" : "page.off");
    return typeof given === "string" || typeof given === "number" ? choiceText(say, field, given) : "";
  }
}
