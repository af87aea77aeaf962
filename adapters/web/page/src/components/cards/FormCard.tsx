import { useEffect } from "preact/hooks";
import { say as sayMessage } from "../../../../../../src/seam/text/say.ts";
import type { Form } from "../../../../../../src/seam/views.ts";
import { useChat } from "../../state/context.ts";
import { FieldsForm } from "../form/FieldsForm.tsx";
import { Icon } from "../base/Icon.tsx";

/**
 * A question: in the composer where it is about making something, else a form right here.
 * @param message the message that asks it
 * @param fresh whether it just came, so that the composer may take it at once
 */
export function FormCard({ message, form, fresh }: { message: string; form: Form; fresh: boolean }) {
  const { api, compose, operations, say } = useChat();
  // A form has the name of the command that it was made for.
  const operation = operations.find(({ name }) => name === form.id)?.name;
  const fill = () => operation && compose({ operation, values: form.values, question: message });
  useEffect(() => {
    if (fresh) fill();
  }, []);

  return (
    <>
      <p class="text">{sayMessage(say, form.title)}</p>
      {operation ? (
        <button type="button" class="link reuse" onClick={fill}>
          <Icon name="edit" />
          {say("page.fill")}
        </button>
      ) : (
        <FieldsForm
          fields={form.fields}
          initial={form.values}
          submit={sayMessage(say, form.submit)}
          onSubmit={(values) => api.answer(message, values)}
        />
      )}
    </>
  );
}
