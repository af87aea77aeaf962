import { useEffect } from "preact/hooks";
import type { FormBody } from "../../../wire.ts";
import { useChat } from "../context.ts";
import { sentence } from "../sentences.ts";
import { FieldsForm } from "./FieldsForm.tsx";
import { Icon } from "./Icon.tsx";

/** A question: in the composer where it is about making something, else a form right here. */
export function FormCard({ form, answered, fresh }: FormBody & { fresh: boolean }) {
  const { api, compose, operations, say } = useChat();
  const operation = operations.find(({ fields }) =>
    form.fields.every((asked) => fields.some(({ name }) => name === asked.name)),
  )?.name;
  const fill = () => operation && compose({ operation, values: form.values, form: form.id });
  useEffect(() => {
    if (fresh && !answered) fill();
  }, []);

  return (
    <>
      <p class="text">{sentence(say, form.title)}</p>
      {answered && <p class="caption">{say("page.answered")}</p>}
      {!answered && operation && (
        <button type="button" class="link reuse" onClick={fill}>
          <Icon name="edit" />
          {say("page.fill")}
        </button>
      )}
      {!answered && !operation && (
        <FieldsForm
          fields={form.fields}
          initial={form.values}
          submit={sentence(say, form.submit)}
          onSubmit={(values) => api.answer(form.id, values)}
        />
      )}
    </>
  );
}
