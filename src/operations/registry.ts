import { ReelayError } from "../errors.ts";
import type { Operation } from "./operation.ts";
import { video } from "./video.ts";

/** Everything that can be made, in the order in which it is offered. */
export const OPERATIONS: readonly Operation[] = [video];

/** @throws ReelayError `unknown_command` */
export function operationOf(id: string): Operation {
  const operation = OPERATIONS.find((candidate) => candidate.id === id);
  if (!operation) throw new ReelayError("unknown_command", { name: id });
  return operation;
}
