import type { SandboxOptions } from "../../src/sandbox/sandbox.ts";
import { testSandbox } from "../../test/support/sandbox.ts";

/** What the process is told, as JSON in its first argument. */
export type ServiceOptions = Pick<SandboxOptions, "timeScale" | "jobSeconds"> & { readonly people: number };

/** Where the service is, and its keys. */
export type Whereabouts = Pick<Awaited<ReturnType<typeof testSandbox>>, "url" | "control" | "keys"> & {
  /** One for each of `people`. */
  readonly peopleKeys: readonly string[];
};

// The sandbox in a process of its own, as the service is: what it takes is not taken from whom we measure.
const { people, ...options }: ServiceOptions = JSON.parse(process.argv[2] ?? "");
const sandbox = await testSandbox(options);
const peopleKeys = Array.from({ length: people }, (_, index) => sandbox.addAccount(`person-${index}`, "pro"));
const { url, control, keys } = sandbox;
process.send?.({ url, control, keys, peopleKeys } satisfies Whereabouts);
process.once("disconnect", () => void sandbox.stop().then(() => process.exit()));
