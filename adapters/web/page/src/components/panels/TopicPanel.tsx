import { useId, useState } from "preact/hooks";
import type { CommandSpec, Topic } from "../../../../../../src/seam/fields.ts";
import { useChat } from "../../state/context.ts";
import { Dialog } from "../base/Dialog.tsx";
import { Icon } from "../base/Icon.tsx";
import { Answers } from "./Answers.tsx";

/** Everything about a topic in one place: what there is to know of it, and under it what can be done. */
export function TopicPanel({ topic, onClose }: { topic: Topic; onClose: () => void }) {
  const { say, session, renew } = useChat();
  const [first, ...others] = session.commands.filter((command) => command.topic === topic);
  const [open, setOpen] = useState<string>();
  const [round, setRound] = useState(0);

  function changed() {
    setRound((before) => before + 1);
    renew();
  }
  return (
    <Dialog kind="sheet" title={say(`page.panel.${topic}`)} onClose={onClose}>
      <div class="panel">
        {first && <Answers key={round} command={first} others={others} onChange={renew} />}
        {others.length > 0 && (
          <ul class="panel-commands">
            {others.map((command) => (
              <PanelCommand
                key={command.name}
                command={command}
                open={command.name === open}
                onToggle={() => setOpen(command.name === open ? undefined : command.name)}
                onChange={changed}
              />
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  );
}

function PanelCommand(props: {
  command: CommandSpec;
  open: boolean;
  onToggle: () => void;
  onChange: () => void;
}) {
  const { say } = useChat();
  const { command, open } = props;
  const id = useId();
  return (
    <li>
      <button type="button" aria-expanded={open} aria-controls={id} onClick={props.onToggle}>
        <span>
          <b>{say(command.label)}</b>
          <small>{say(command.description)}</small>
        </span>
        <Icon name={open ? "minus" : "plus"} />
      </button>
      <div id={id}>{open && <Answers command={command} onChange={props.onChange} />}</div>
    </li>
  );
}
