import type { PageProblem } from "../../../wire.ts";
import { hasMessage } from "../../../../../src/common/i18n.ts";
import { problemText } from "../../src/view/sentences.ts";
import { useDesk } from "../state/context.ts";

/** What is wrong, right where it is; nothing where nothing is. */
export function Fault({ problem }: { problem: PageProblem | undefined }) {
  const { say } = useDesk();
  if (!problem) return null;
  // Some of the core's sentences lead to the command line, where this page has the same.
  const own = `console.error.${problem.code}`;
  return (
    <p class="fault" role="alert">
      {hasMessage(own) ? say(own, problem.params) : problemText(say, problem)}
    </p>
  );
}
