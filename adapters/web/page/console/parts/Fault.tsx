import type { PageProblem } from "../../../wire.ts";
import { problemText } from "../../src/view/sentences.ts";
import { useDesk } from "../state/context.ts";

/** What is wrong, right where it is; nothing where nothing is. */
export function Fault({ problem }: { problem: PageProblem | undefined }) {
  const { say } = useDesk();
  return problem ? (
    <p class="fault" role="alert">
      {problemText(say, problem)}
    </p>
  ) : null;
}
