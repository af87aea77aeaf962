import { createHash, randomUUID } from "node:crypto";
import type { IExecuteFunctions } from "n8n-workflow";

/**
 * What makes it safe to send a job again: the same while n8n tries the same item in the same run of the node again,
 * also after a restart, and another one for everything else.
 */
export function keyOf(self: IExecuteFunctions, item: number): string {
  const execution: string | undefined = self.getExecutionId();
  if (!execution) return `n8n-${randomUUID()}`;
  const { $runIndex: run } = self.getWorkflowDataProxy(item) as unknown as { readonly $runIndex: number };
  const place = [self.getInstanceId(), self.getWorkflow().id, execution, self.getNode().id, run, item];
  return `n8n-${createHash("sha256").update(JSON.stringify(place)).digest("hex")}`;
}
