import { setTimeout } from "node:timers/promises";

/** What an error of a node is told besides. */
interface Told {
  readonly message?: string;
  readonly description?: string;
  readonly httpCode?: string;
}

/** Errors that n8n shows at a node, as far as nodes and tests read them. */
class NodeError extends Error {
  readonly description: string | undefined;
  readonly httpCode: string | undefined;
  readonly context: Record<string, unknown> = {};

  constructor(node: { readonly id: string }, error: object | string, told: Told = {}) {
    const said = error instanceof Error ? error.message : error;
    super(told.message ?? (typeof said === "string" ? said : "Unknown error"));
    if (typeof node.id !== "string") throw new TypeError("An error belongs to a node.");
    this.name = new.target.name;
    this.description = told.description;
    this.httpCode = told.httpCode;
  }
}

class NodeApiError extends NodeError {}
class NodeOperationError extends NodeError {}

/** How long nodes asked to sleep, in milliseconds, since this was emptied. */
export const slept: number[] = [];

/** What stands in for the package that n8n brings. Nobody sleeps longer than a moment. */
export const n8nWorkflow = {
  NodeConnectionTypes: { Main: "main" },
  NodeApiError,
  NodeOperationError,
  async sleep(ms: number) {
    slept.push(ms);
    await setTimeout(Math.min(ms, 20));
  },
};
