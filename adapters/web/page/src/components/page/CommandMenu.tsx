import { useRef, useState } from "preact/hooks";
import type { CommandSpec } from "../../../../../../src/seam/fields.ts";
import { useChat } from "../../state/context.ts";
import { CommandDialog } from "./CommandDialog.tsx";
import { DevicesDialog } from "./DevicesDialog.tsx";
import { Icon } from "../base/Icon.tsx";

/** Everything else that Reelay can do; what needs an answer first asks in a dialog. */
export function CommandMenu() {
  const { api, attempt, say, session } = useChat();
  const menu = useRef<HTMLDivElement>(null);
  const [asking, setAsking] = useState<CommandSpec>();
  const [showsDevices, setShowsDevices] = useState(false);

  function showDevices() {
    menu.current?.hidePopover();
    setShowsDevices(true);
  }

  function choose(command: CommandSpec) {
    menu.current?.hidePopover();
    if (command.fields.some(({ required }) => required)) setAsking(command);
    else void attempt(() => api.command(command.name, {}));
  }

  return (
    <>
      <button type="button" class="icon-button" aria-label={say("page.menu")} popovertarget="commands">
        <Icon name="menu" />
      </button>
      <div id="commands" class="menu" popover="auto" ref={menu}>
        <ul>
          {session.commands
            .filter(({ kind }) => kind === "command")
            .map((command) => (
              <li key={command.name}>
                <button type="button" onClick={() => choose(command)}>
                  <b>{say(command.label)}</b>
                  <small>{say(command.description)}</small>
                </button>
              </li>
            ))}
          {session.login && (
            <li>
              <button type="button" onClick={showDevices}>
                <b>{say("page.devices")}</b>
                <small>{say("page.devices.description")}</small>
              </button>
            </li>
          )}
        </ul>
      </div>
      {showsDevices && <DevicesDialog onClose={() => setShowsDevices(false)} />}
      {asking && <CommandDialog command={asking} onClose={() => setAsking(undefined)} />}
    </>
  );
}
