import type { MessageKey } from "../../../../../src/common/i18n.ts";
import type { PageProblem } from "../../../wire.ts";
import { useDesk } from "../state/context.ts";
import { Fault } from "./Fault.tsx";

/** What came of what was done last; nothing before that. */
export function Outcome(props: { problem?: PageProblem | undefined; done: MessageKey | undefined }) {
  const { say } = useDesk();
  const { problem, done } = props;
  return (
    <>
      <Fault problem={problem} />
      {done && (
        <p class="hint" role="status">
          {say(done)}
        </p>
      )}
    </>
  );
}
