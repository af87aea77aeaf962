import { useEffect, useState } from "preact/hooks";
import { statementsFor } from "../../../../../src/seam/forms/agreement.ts";
import type { CommandSpec } from "../../../../../src/seam/fields.ts";
import type { StatementName, Values } from "../../../../../src/seam/values.ts";
import type { MessageKey } from "../../../../../src/common/i18n.ts";
import { useChat } from "./context.ts";

/**
 * What the press that sends a request is to state, because it was not stated yet. What a page does not know of, such as what
 * was withdrawn elsewhere, the core asks for.
 * @param occasion changes whenever something may have been stated or withdrawn
 */
export function useAgreement(
  spec: CommandSpec | undefined,
  values: Values,
  occasion: unknown,
): readonly StatementName[] {
  const { api, session } = useChat();
  const [stated, setStated] = useState(session.stated);
  useEffect(() => {
    let isOver = false;
    api.session().then(
      (now) => isOver || setStated(now.stated),
      () => {},
    );
    return () => {
      isOver = true;
    };
  }, [api, occasion]);
  // Nobody reads terms before there is something to do.
  if (!spec || Object.keys(values).length === 0) return [];
  return statementsFor(spec, values).filter((name) => !stated.includes(name));
}

/** What the button says that sends the request: what is stated with each start, in its own words. */
export function pressLabel(spec: CommandSpec | undefined, asked: readonly StatementName[]): MessageKey {
  const { agreement } = spec ?? {};
  if (agreement && asked.includes(agreement)) return `action.agree.${agreement}`;
  return asked.length > 0 ? "form.generate.agree" : "page.generate";
}
