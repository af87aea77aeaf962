import { useId, useRef } from "preact/hooks";
import type { ComponentChildren } from "preact";
import { useChat } from "../../state/context.ts";
import { PANELS, usePanel, type Panel } from "../../state/panels.ts";
import { Icon } from "../base/Icon.tsx";
import { DevicesDialog } from "../panels/DevicesDialog.tsx";
import { TopicPanel } from "../panels/TopicPanel.tsx";

/** Everything else that Reelay can do: what is about people's work is said in the conversation, the rest has its own place. */
export function CommandMenu() {
  const { api, attempt, say, session } = useChat();
  const menu = useRef<HTMLDivElement>(null);
  const { panel, open, close } = usePanel();
  const work = session.commands.filter(({ kind, topic }) => kind === "command" && !topic);
  const offered = PANELS.filter((name) => name !== "devices" || session.login);
  const shown = offered.find((name) => name === panel);

  function show(name: Panel) {
    menu.current?.hidePopover();
    open(name);
  }

  function run(name: string) {
    menu.current?.hidePopover();
    void attempt(() => api.command(name, {}));
  }

  return (
    <>
      <button type="button" class="icon-button" aria-label={say("page.menu")} popovertarget="commands">
        <Icon name="menu" />
      </button>
      <div id="commands" class="menu" popover="auto" ref={menu}>
        <Group title={say("page.menu.work")}>
          {work.map(({ name, label, description }) => (
            <li key={name}>
              <button type="button" onClick={() => run(name)}>
                <b>{say(label)}</b>
                <small>{say(description)}</small>
              </button>
            </li>
          ))}
        </Group>
        <Group title={say("page.menu.you")}>
          {session.setup && (
            <li>
              <a href="/setup">
                <b>{say("page.setup")}</b>
              </a>
            </li>
          )}
          {offered.map((name) => (
            <li key={name}>
              <a
                href={`#${name}`}
                onClick={(event) => {
                  event.preventDefault();
                  show(name);
                }}
              >
                <b>{say(`page.panel.${name}`)}</b>
                <small>{say(`page.panel.${name}.description`)}</small>
              </a>
            </li>
          ))}
        </Group>
      </div>
      {shown === "devices" && <DevicesDialog onClose={() => close(shown)} />}
      {shown && shown !== "devices" && <TopicPanel key={shown} topic={shown} onClose={() => close(shown)} />}
    </>
  );
}

function Group({ title, children }: { title: string; children: ComponentChildren }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ul>{children}</ul>
    </section>
  );
}
