import type { Context, MiddlewareHandler } from "hono";
import { ReelayError } from "../../../src/common/errors.ts";
import type { ConsoleDesk } from "../../../src/seam/access/console.ts";
import type { Operator, OperatorAct } from "../../../src/seam/access/operators.ts";

/** What the console's routes know of a request that was let in. */
export interface ConsoleEnv {
  readonly Variables: {
    operator: Operator;
    desk: ConsoleDesk;
  };
}

/** Lets those through who may do something: each route has one. */
export const asks =
  (act: OperatorAct): MiddlewareHandler<ConsoleEnv> =>
  async (c, next) => {
    if (!mayDo(c, act)) throw new ReelayError("role_may_not");
    return next();
  };

/** Whether whoever asks may do something. */
export const mayDo = ({ var: { desk, operator } }: Context<ConsoleEnv>, act: OperatorAct): boolean =>
  desk.may(operator, act);
