import { execFile } from "node:child_process";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { createRequire, Module } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { temporaryFolder } from "../sandbox.ts";
import type { Host } from "./host.ts";
import { n8nWorkflow } from "./module.ts";

const SOURCE = fileURLToPath(new URL("../../../clients/n8n", import.meta.url));
const TSC = fileURLToPath(new URL("../../../node_modules/.bin/tsc", import.meta.url));

/** A parameter that a node shows. */
export interface Property {
  readonly name: string;
  readonly default: unknown;
  readonly displayOptions?: { readonly show?: Readonly<Record<string, readonly unknown[]>> };
}

/** A choice, or a field. */
interface Choice {
  readonly name: string;
  readonly value: string;
}

interface MappedField {
  readonly id: string;
  readonly displayName: string;
  readonly required: boolean;
  readonly type: string;
  readonly options?: readonly Choice[];
}

type On<T> = (this: Host) => Promise<T>;

/** An item that comes in or goes out. */
export interface Item {
  readonly json: Readonly<Record<string, unknown>>;
  readonly binary?: Readonly<Record<string, Binary>>;
  readonly pairedItem?: { readonly item: number };
}

/** A file of an item. */
export interface Binary {
  readonly bytes: Buffer;
  readonly fileName?: string;
  readonly mimeType: string;
}

/** The compiled package, as n8n loads it. */
export interface NodePackage {
  readonly credential: {
    readonly authenticate: { readonly properties: { readonly headers: Readonly<Record<string, string>> } };
    readonly test: { readonly request: { readonly baseURL: string; readonly url: string } };
  };
  readonly node: {
    readonly description: Described;
    readonly methods: {
      readonly loadOptions: { readonly getOperations: On<readonly Choice[]> };
      readonly resourceMapping: { readonly getFields: On<{ readonly fields: readonly MappedField[] }> };
    };
    readonly execute: On<readonly (readonly Item[])[]>;
  };
  readonly trigger: {
    readonly description: Described;
    readonly webhookMethods: {
      readonly default: Readonly<Record<"checkExists" | "create" | "delete", On<boolean>>>;
    };
    readonly webhook: On<{
      readonly workflowData?: readonly (readonly Item[])[];
      readonly webhookResponse?: string;
      readonly noWebhookResponse?: boolean;
    }>;
  };
}

interface Described {
  readonly icon: Readonly<Record<string, string>>;
  readonly properties: readonly Property[];
}

/** Compiles the package into a folder of its own, and loads what its `package.json` names. */
export async function loadPackage(): Promise<NodePackage & { readonly folder: string }> {
  const folder = temporaryFolder();
  const theirs = join(folder, "node_modules/n8n-workflow");
  await mkdir(theirs, { recursive: true });
  await writeFile(join(theirs, "index.js"), "");
  await cp(join(SOURCE, "package.json"), join(folder, "package.json"));
  await promisify(execFile)(TSC, ["-p", SOURCE, "--outDir", join(folder, "dist")]);
  await cp(join(SOURCE, "icons"), join(folder, "dist/icons"), { recursive: true });

  const require = createRequire(join(folder, "package.json"));
  const path = require.resolve("n8n-workflow");
  require.cache[path] = Object.assign(new Module(path), { exports: n8nWorkflow, loaded: true });
  const { n8n } = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as {
    readonly n8n: { readonly credentials: readonly string[]; readonly nodes: readonly string[] };
  };
  const made = [...n8n.credentials, ...n8n.nodes].map((file) => {
    // The class is called as its file is.
    const [, name = ""] = /(\w+)\.(?:node|credentials)\.js$/.exec(file) ?? [];
    const Class = (require(join(folder, file)) as Readonly<Record<string, new () => object>>)[name];
    if (!Class) throw new Error(`${file} has no class ${name}.`);
    return new Class();
  });
  const [credential, node, trigger] = made;
  return { folder, credential, node, trigger } as NodePackage & { readonly folder: string };
}
