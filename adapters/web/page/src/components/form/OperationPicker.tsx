import { useId, useState } from "preact/hooks";
import type { CommandSpec } from "../../../../../../src/seam/fields.ts";
import { useChat } from "../../state/context.ts";
import { Dialog } from "../base/Dialog.tsx";
import { Icon } from "../base/Icon.tsx";

const RESULTS = ["video", "image"] as const;

/** What is to be made: a button with its name that opens everything there is to choose from. */
export function OperationPicker(props: { chosen: string; onChoose: (operation: string) => void }) {
  const { operations, say } = useChat();
  const [open, setOpen] = useState(false);
  const current = operations.find(({ name }) => name === props.chosen);
  const name = current ? say(current.label) : props.chosen;
  return (
    <>
      <button
        type="button"
        class="tool operation-button"
        aria-haspopup="dialog"
        aria-label={`${say("page.operation")}: ${name}`}
        onClick={() => setOpen(true)}
      >
        <Icon name={current?.result === "image" ? "photo" : "video"} />
        {name}
        {current?.subscription && <ProMark />}
        <Icon name="unfold" />
      </button>
      {open && (
        <Dialog kind="sheet" title={say("page.operation")} onClose={() => setOpen(false)}>
          <div class="operations" onKeyDown={moveFocus}>
            {RESULTS.map((result) => (
              <Group
                key={result}
                title={say(`page.operations.${result}`)}
                operations={operations.filter((operation) => operation.result === result)}
                chosen={props.chosen}
                onChoose={(operation) => {
                  setOpen(false);
                  if (operation !== props.chosen) props.onChoose(operation);
                }}
              />
            ))}
          </div>
        </Dialog>
      )}
    </>
  );
}

function Group(props: {
  title: string;
  operations: readonly CommandSpec[];
  chosen: string;
  onChoose: (operation: string) => void;
}) {
  const { say } = useChat();
  const id = useId();
  if (props.operations.length === 0) return null;
  return (
    <section aria-labelledby={id}>
      <h3 id={id}>{props.title}</h3>
      <ul>
        {props.operations.map(({ name, label, description, subscription }) => (
          <li key={name}>
            <button
              type="button"
              class="operation"
              aria-current={name === props.chosen}
              autofocus={name === props.chosen}
              onClick={() => props.onChoose(name)}
            >
              <b>
                {say(label)}
                {subscription && <ProMark />}
              </b>
              <small>{say(description)}</small>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function ProMark() {
  const { say } = useChat();
  return (
    <span class="pro" title={say("page.pro.hint")}>
      {say("page.pro")}
    </span>
  );
}

/** Arrow keys go from one to the next, and around. */
function moveFocus(event: KeyboardEvent & { readonly currentTarget: HTMLElement }) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const buttons = [...event.currentTarget.querySelectorAll("button")];
  const focused = buttons.findIndex((button) => button === document.activeElement);
  buttons.at((focused + step) % buttons.length)?.focus();
}
