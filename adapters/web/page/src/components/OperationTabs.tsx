import { useChat } from "../context.ts";
import { Segments } from "./ChoiceInput.tsx";

/** What to make, where there is more than one thing. */
export function OperationTabs({
  chosen,
  onChoose,
}: {
  chosen: string;
  onChoose: (operation: string) => void;
}) {
  const { operations, say } = useChat();
  return (
    <fieldset class="operations">
      <legend class="hidden">{say("page.operation")}</legend>
      <Segments
        id="operation"
        open={false}
        value={chosen}
        choices={operations.map(({ name, label }) => ({ value: name, title: say(label) }))}
        onValue={(value) => onChoose(String(value))}
      />
    </fieldset>
  );
}
