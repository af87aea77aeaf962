import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("limit-node.ts", import.meta.url));

/** What one node sends. */
interface NodeSends {
  /** The addresses that its requests leave by. */
  readonly egresses: readonly string[];
  /** Each sends again as soon as it was answered. */
  readonly callers: readonly { readonly key: string; readonly user: string }[];
}

/** A trial of several nodes on one database. */
interface Trial {
  readonly store: string;
  readonly windowMs: number;
  /** Requests per window, per key and per egress. */
  readonly limit: number;
  /** It ends once the service has counted so many. */
  readonly count: number;
  /** How long a request is under way to the service, and back, at most, in milliseconds: by chance. */
  readonly latencyMs: number;
  readonly nodes: readonly NodeSends[];
}

/** What a node is told. */
export type NodeTask = Pick<Trial, "store" | "windowMs" | "limit"> & NodeSends & { readonly url: string };

/** A request as the service counted it. */
export interface Counted {
  /** In milliseconds of one clock. */
  readonly at: number;
  readonly key: string;
  readonly egress: string;
  readonly user: string;
}

/** Starts each node as a process of its own, and gives what came to a service that counts all of it and refuses nothing. */
export async function whatNodesSend({
  latencyMs,
  nodes,
  count,
  ...task
}: Trial): Promise<readonly Counted[]> {
  const counted: Counted[] = [];
  const { promise: enough, resolve, reject } = Promise.withResolvers<void>();
  const onItsWay = () => sleep(Math.random() * latencyMs);
  const answer = async ({ key, egress, user }: IncomingHttpHeaders, response: ServerResponse) => {
    await onItsWay();
    counted.push({ at: performance.now(), key: String(key), egress: String(egress), user: String(user) });
    if (counted.length === count) resolve();
    await onItsWay();
    response.end("{}");
  };
  const service = createServer(({ headers }, response) => void answer(headers, response));
  service.listen(0, "127.0.0.1");
  await once(service, "listening");
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  const children = nodes.map((node) => {
    const told: NodeTask = { ...task, ...node, url };
    const stdio = ["ignore", "inherit", "inherit"] as const;
    return spawn(process.execPath, [PROGRAM, JSON.stringify(told)], { stdio: [...stdio] });
  });
  for (const child of children) child.once("exit", (code) => reject(new Error(`A node ended with ${code}`)));
  try {
    await enough;
  } finally {
    for (const child of children) child.kill();
    service.close();
    service.closeAllConnections();
  }
  return counted.toSorted((a, b) => a.at - b.at);
}

/** The most requests that any window of any phase holds, of all that are the same in `scope`. */
export function worstWindow(counted: readonly Counted[], scope: "key" | "egress", windowMs: number): number {
  const all = Object.values(Object.groupBy(counted, (one) => one[scope])) as (readonly Counted[])[];
  return Math.max(
    0,
    ...all.map((some) => {
      let [first, most] = [0, 0];
      for (const [last, { at }] of some.entries()) {
        while (at - (some[first]?.at ?? at) > windowMs) first += 1;
        most = Math.max(most, last - first + 1);
      }
      return most;
    }),
  );
}
