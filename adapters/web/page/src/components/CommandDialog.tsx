import type { CommandSpec } from "../../../../../src/chat/fields.ts";
import { useChat } from "../context.ts";
import { Dialog } from "./Dialog.tsx";
import { FieldsForm } from "./FieldsForm.tsx";

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
