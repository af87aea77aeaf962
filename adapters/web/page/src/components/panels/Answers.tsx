import { useEffect, useMemo, useState } from "preact/hooks";
import type { CommandSpec } from "../../../../../../src/seam/fields.ts";
import { say as sayMessage } from "../../../../../../src/seam/text/say.ts";
import type { AsideBody } from "../../../../wire.ts";
import { problemOf } from "../../state/api.ts";
import { ChatContext, useChat, type Chat } from "../../state/context.ts";
import { useProblem } from "../../state/problem.ts";
import { Fault } from "../base/Fault.tsx";
import { MessageContent } from "../cards/Bubble.tsx";
import { FieldsForm } from "../form/FieldsForm.tsx";

/**
 * What a command answers, right here instead of in the conversation; what it needs first is asked for.
 * @param onChange hears that something was done
 */
export function Answers({ command, onChange }: { command: CommandSpec; onChange: () => void }) {
  const chat = useChat();
  const { api, say } = chat;
  const asks = command.fields.some(({ required }) => required);
  const [bodies, setBodies] = useState<readonly AsideBody[]>(asks ? [formOf(command)] : []);
  const [problem, setProblem] = useProblem();

  /** Shows what comes of something; where that failed, what was filled in stays beside it. */
  async function show(answers: Promise<readonly AsideBody[]>): Promise<boolean> {
    const came = await answers;
    const failed = came.some(({ kind }) => kind === "problem");
    setBodies((before) => (failed ? [...before.filter(({ kind }) => kind === "form"), ...came] : came));
    return !failed;
  }

  async function attempt(task: () => Promise<unknown>): Promise<void> {
    try {
      setProblem(undefined);
      await task();
    } catch (error) {
      setProblem(problemOf(error));
    }
  }
  useEffect(() => {
    if (asks) return;
    // What runs by being opened may have changed something for the composer, such as what is stated.
    void attempt(async () => {
      if (await show(api.commandAside(command.name, {}))) chat.renew();
    });
  }, []);

  const inside = useMemo<Chat>(
    () => ({
      ...chat,
      attempt,
      act: async (token) => {
        if (await show(api.actAside(token))) onChange();
      },
    }),
    [chat],
  );
  return (
    <ChatContext.Provider value={inside}>
      <div class="answers" aria-live="polite">
        {bodies.map((body, index) =>
          body.kind === "form" ? (
            <FieldsForm
              key={index}
              fields={body.form.fields}
              initial={body.form.values}
              submit={sayMessage(say, body.form.submit)}
              onSubmit={async (values) => {
                if (await show(api.commandAside(body.form.id, values))) onChange();
              }}
            />
          ) : (
            <div key={index} class="answer" data-kind={body.kind}>
              <MessageContent message={{ id: "", body }} fresh={false} />
            </div>
          ),
        )}
        <Fault problem={problem} />
      </div>
    </ChatContext.Provider>
  );
}

/** Asks for what a command needs: a form has the name of the command that it is for. */
function formOf({ name, label, fields }: CommandSpec): AsideBody {
  return {
    kind: "form",
    form: { id: name, title: { key: label }, fields, values: {}, submit: { key: "page.send" } },
  };
}
