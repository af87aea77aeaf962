import type { PageProblem } from "../../../../wire.ts";
import { useChat } from "../../state/context.ts";
import { problemText } from "../../view/sentences.ts";

/** What is wrong, right where it is; nothing where nothing is. */
export function Fault({ id, problem }: { id?: string | undefined; problem: PageProblem | undefined }) {
  const { say } = useChat();
  return problem ? (
    <p class="fault" id={id} role="alert">
      {problemText(say, problem)}
    </p>
  ) : null;
}
