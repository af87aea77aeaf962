import type { CommandSpec } from "../../../../../../src/seam/fields.ts";
import { useChat } from "../../state/context.ts";
import { Dialog } from "../base/Dialog.tsx";
import { FieldsForm } from "../form/FieldsForm.tsx";

/** Asks for what a command needs. */
export function CommandDialog({ command, onClose }: { command: CommandSpec; onClose: () => void }) {
  const { api, say } = useChat();
  return (
    <Dialog title={say(command.label)} onClose={onClose}>
      <p class="dialog-intro">{say(command.description)}</p>
      <FieldsForm
        fields={command.fields}
        submit={say("page.send")}
        onSubmit={async (values) => {
          await api.command(command.name, values);
          onClose();
        }}
      />
    </Dialog>
  );
}
