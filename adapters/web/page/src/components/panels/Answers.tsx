import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { CommandSpec } from "../../../../../../src/seam/fields.ts";
import { parseToken } from "../../../../../../src/seam/text/actions.ts";
import { isForgottenNotice } from "../../../../../../src/seam/text/notices.ts";
import { say as sayMessage } from "../../../../../../src/seam/text/say.ts";
import type { Action } from "../../../../../../src/seam/views.ts";
import type { AsideBody } from "../../../../wire.ts";
import { problemOf } from "../../state/api.ts";
import { ChatContext, useChat, type Chat } from "../../state/context.ts";
import { useProblem } from "../../state/problem.ts";
import { useAfterDrawing } from "../../view/drawing.ts";
import { Fault } from "../base/Fault.tsx";
import { MessageContent } from "../cards/Bubble.tsx";
import { FieldsForm } from "../form/FieldsForm.tsx";

const NONE: readonly CommandSpec[] = [];

/** What a command answers, right here instead of in the conversation; what it needs first is asked for. */
export function Answers(props: {
  command: CommandSpec;
  /** Those that stand beside it: they need no buttons in what it answers. */
  others?: readonly CommandSpec[];
  /** Hears that something was done. */
  onChange: () => void;
}) {
  const { command, others = NONE, onChange } = props;
  const chat = useChat();
  const { api, say } = chat;
  const asks = command.takesAway || command.fields.some(({ required }) => required);
  const place = useRef<HTMLDivElement>(null);
  const afterDrawing = useAfterDrawing();
  const [bodies, setBodies] = useState<readonly AsideBody[]>(asks ? [formOf(command)] : []);
  const [problem, setProblem] = useProblem();

  /** Shows what comes of something; where that failed, what was filled in stays beside it. */
  async function show(answers: Promise<readonly AsideBody[]>): Promise<boolean> {
    const came = await answers;
    const failed = came.some(({ kind }) => kind === "problem");
    for (const body of came) if (body.kind === "notice" && isForgottenNotice(body)) chat.onForgotten(body);
    setBodies((before) => (failed ? [...before.filter(({ kind }) => kind === "form"), ...came] : came));
    afterDrawing(() => {
      // It comes below what was pressed, which may have been at the very edge; what is pressed in it is gone by then.
      place.current?.closest("li")?.scrollIntoView({ block: "nearest" });
      if (document.activeElement === document.body) place.current?.focus();
    });
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
      <div class="answers" aria-live="polite" tabIndex={-1} ref={place}>
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
              <MessageContent message={{ id: "", body: without(others, body) }} fresh={false} />
            </div>
          ),
        )}
        <Fault problem={problem} />
      </div>
    </ChatContext.Provider>
  );
}

/**
 * Asks for what a command needs, if only for a press that says what it does: a form has the name of the command that it is for.
 */
function formOf({ name, label, fields, takesAway }: CommandSpec): AsideBody {
  const asked = takesAway
    ? { fields: [], submit: { key: label } }
    : { fields, submit: { key: "page.send" } as const };
  return { kind: "form", form: { id: name, title: { key: label }, values: {}, ...asked } };
}

/** A view without the buttons of these commands. */
function without<T extends AsideBody>(others: readonly CommandSpec[], body: T): T {
  if (body.kind !== "notice" || !body.actions) return body;
  const isOthers = ({ token }: Action) => others.some(({ name }) => name === parseToken(token).command);
  return { ...body, actions: body.actions.filter((one) => !isOthers(one)) };
}
