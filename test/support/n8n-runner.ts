import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { runInNewContext } from "node:vm";
import type { Node, Workflow } from "./n8n-workflow.ts";

/** What goes from one node to the next. */
interface Item {
  readonly json: unknown;
  readonly binary?: Readonly<Record<string, Buffer>>;
}

/** What a workflow is run with. */
interface Start {
  /** What somebody posts to its webhook. */
  readonly order: unknown;
  /** The credential of its requests. */
  readonly token: string;
}

/** What came of it. */
interface Run {
  /** What whoever called the webhook was answered. */
  readonly answered: { readonly status: number; readonly body: unknown } | undefined;
  /** What the last node gave. */
  readonly last: Item;
}

type HttpRequest = Extract<Node, { type: "n8n-nodes-base.httpRequest" }>;
type Evaluate = (text: string) => unknown;

/**
 * Runs a workflow as n8n would, one item at a time, as far as the recipe's nodes go: it is no n8n.
 * @throws what a node fails with
 */
export async function runWorkflow(workflow: Workflow, { order, token }: Start): Promise<Run> {
  await using resumption = await resumptionServer();
  const done = new Map<string, Item>();
  let answered: Run["answered"];
  let node: Node | undefined = workflow.nodes.find(({ type }) => type === "n8n-nodes-base.webhook");
  let item: Item = { json: { body: order } };

  while (node) {
    const names = {
      $json: item.json,
      $: (name: string) => ({ first: () => done.get(name) }),
      $workflow: { id: "workflow" },
      $execution: { id: "1", resumeUrl: resumption.url },
    };
    const evaluate: Evaluate = (text) => evaluated(text, names);
    let output = 0;
    switch (node.type) {
      case "n8n-nodes-base.webhook":
      case "n8n-nodes-base.stickyNote":
        break;
      case "n8n-nodes-base.set": {
        const { assignments } = node.parameters.assignments;
        item = { json: Object.fromEntries(assignments.map(({ name, value }) => [name, evaluate(value)])) };
        break;
      }
      case "n8n-nodes-base.httpRequest":
        item = await requested(node, evaluate, token);
        break;
      case "n8n-nodes-base.respondToWebhook": {
        const { responseBody, options } = node.parameters;
        answered = { status: options.responseCode, body: JSON.parse(String(evaluate(responseBody))) };
        break;
      }
      case "n8n-nodes-base.wait":
        item = { json: { body: await resumption.wait() } };
        break;
      case "n8n-nodes-base.if": {
        const { conditions } = node.parameters.conditions;
        output = conditions.every((one) => evaluate(one.leftValue) === evaluate(one.rightValue)) ? 0 : 1;
        break;
      }
      case "n8n-nodes-base.stopAndError":
        throw new Error(String(evaluate(node.parameters.errorMessage)));
      default:
        node satisfies never;
    }
    done.set(node.name, item);
    const next = workflow.connections[node.name]?.main[output]?.[0]?.node;
    node = workflow.nodes.find(({ name }) => name === next);
  }
  return { answered, last: item };
}

/** A parameter: text that begins with "=" is an expression, or text with expressions in it. */
function evaluated(text: string, names: object): unknown {
  if (!text.startsWith("=")) return text;
  const compute = (expression: string): unknown => runInNewContext(`(${expression})`, names);
  const [, whole] = /^=\{\{((?:(?!\}\}).)*)\}\}$/s.exec(text) ?? [];
  if (whole !== undefined) return compute(whole);
  return text.slice(1).replaceAll(/\{\{(.*?)\}\}/gs, (_, part: string) => String(compute(part)));
}

/** Sends a request as often as its node says, without the pauses between. */
async function requested(node: HttpRequest, evaluate: Evaluate, token: string): Promise<Item> {
  for (let tries = 1; ; tries++) {
    try {
      return await requestedOnce(node, evaluate, token);
    } catch (error) {
      if (tries >= (node.maxTries ?? 1)) throw error;
    }
  }
}

async function requestedOnce(node: HttpRequest, evaluate: Evaluate, token: string): Promise<Item> {
  const { method = "GET", url, authentication, headerParameters, jsonBody, options } = node.parameters;
  const headers = new Headers({ accept: "application/json,text/html,*/*" });
  for (const { name, value } of headerParameters?.parameters ?? [])
    headers.set(name, String(evaluate(value)));
  if (authentication) headers.set("authorization", `Bearer ${token}`);
  if (jsonBody !== undefined) headers.set("content-type", "application/json");
  const body = jsonBody === undefined ? null : String(evaluate(jsonBody));
  const answer = await fetch(String(evaluate(url)), { method, headers, body });
  if (!answer.ok) throw new Error(`${node.name}: ${answer.status} ${await answer.text()}`);
  const file = options.response?.response.outputPropertyName;
  if (file === undefined) return { json: await answer.json() };
  return { json: {}, binary: { [file]: Buffer.from(await answer.arrayBuffer()) } };
}

/** Where an execution that waits is called; one that does not wait yet answers 409, as n8n does. */
async function resumptionServer() {
  const called = Promise.withResolvers<unknown>();
  let waits = false;
  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const message = await json(request);
    response.writeHead(waits ? 200 : 409).end();
    if (waits) called.resolve(message);
  }
  const server = createServer((request, response) => void take(request, response));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/webhook-waiting/1?signature=abc`,
    wait(): Promise<unknown> {
      waits = true;
      return called.promise;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
