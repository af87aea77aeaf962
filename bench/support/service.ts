import { fork } from "node:child_process";
import { once } from "node:events";
import type { RateGroup } from "../../src/common/contract.ts";
import type { ServiceOptions, Whereabouts } from "./service-process.ts";

/** What the service has counted since its start. */
interface Counts {
  readonly requests: Partial<Record<RateGroup, number>>;
  readonly rejected: { readonly rate: number; readonly slot: number };
}

/** The sandbox in a process of its own; `await using` stops it. */
export interface BenchService extends Whereabouts, AsyncDisposable {
  counts(): Promise<Counts>;
}

/** Starts the service. */
export async function startService(options: ServiceOptions): Promise<BenchService> {
  const child = fork(new URL("service-process.ts", import.meta.url), [JSON.stringify(options)]);
  const [whereabouts]: Whereabouts[] = await once(child, "message");
  if (!whereabouts) throw new Error("The sandbox did not start.");
  return {
    ...whereabouts,
    async counts() {
      const answer = await fetch(`${whereabouts.control}/ledger`);
      return (await answer.json()) as Counts;
    },
    async [Symbol.asyncDispose]() {
      const gone = once(child, "exit");
      child.disconnect();
      await gone;
    },
  };
}
