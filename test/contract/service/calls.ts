import { z } from "zod";
import { OPERATIONS } from "../../../src/domain/operations/registry.ts";
import { type MediaApi, REQUESTS } from "../../../src/infrastructure/api/media-api.ts";
import { bodyOf, type Material } from "./probes.ts";
import { type Endpoint, ENDPOINTS } from "./table.ts";

type Name = keyof typeof ENDPOINTS;

type Call = (api: MediaApi, id: string) => Promise<unknown>;

/** The operation that has an endpoint of its own: its row has the operation's name, all others that of a method. */
export const operationAt = (name: string) => OPERATIONS.find(({ id }) => id === name);

/** The schema that a request is checked with before it leaves. */
export function schemaOf(name: string): z.ZodObject {
  return z.instanceof(z.ZodObject).parse(operationAt(name)?.endpoint.request ?? Reflect.get(REQUESTS, name));
}

/**
 * Calls of the client, one for each endpoint, with the least that it requires.
 * @param material what requests are filled with
 */
export function callsWith(material: Material): readonly (readonly [Name, Call])[] {
  return Object.entries<Endpoint>(ENDPOINTS).map(([name, { path, body }]) => {
    const given = body && schemaOf(name).parse(bodyOf(name, body, material));
    const call: Call = async (api, id) => {
      const operation = operationAt(name);
      if (operation) return api.submit(operation.endpoint, given ?? {});
      const method = Reflect.get(api, name) as (...args: readonly unknown[]) => Promise<unknown>;
      return method.apply(api, given ? [given] : path.includes("{id}") ? [id] : []);
    };
    return [name as Name, call] as const;
  });
}
