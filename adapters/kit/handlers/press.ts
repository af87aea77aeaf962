import { isOwnToken, ownAction, ownPart, parseToken } from "../../../src/seam/text/actions.ts";
import type { CommandTraits } from "../../../src/seam/fields.ts";
import type { Action } from "../../../src/seam/views.ts";
import { currentTime } from "../../../src/common/time.ts";
import type { ChatContext } from "../pipeline/context.ts";
import type { HandlerFor } from "../pipeline/handler.ts";
import type { ChatPlatform } from "./platform.ts";

/** The mark of the buttons that confirm. */
const SURE = "y";

/**
 * What is pressed again so soon after its question was posted is one press, in milliseconds. No longer: whoever takes the
 * question away and presses again is to be asked again.
 */
const ONE_PRESS_MS = 2_000;

/** How long it is known since when something is being taken away, in milliseconds: what arrived is kept as long, at most. */
const BEGUN_MS = 7 * 24 * 3_600_000;

interface PressRules<Context> {
  /** The id of the message whose button was pressed. */
  readonly pressedOn: (context: Context) => string;
  /** Asks once more, with these buttons. */
  readonly confirm: (context: Context, actions: readonly Action[]) => Promise<unknown>;
  /** Takes that question away. @param isSure false: they let it be */
  readonly settle: (context: Context, isSure: boolean) => Promise<unknown>;
  /** Presses a button, wherever its answer goes. */
  readonly act: (context: Context, token: string, traits: CommandTraits) => Promise<unknown>;
}

/** Handlers of the core's buttons; what takes everything away is asked for twice. */
export function pressHandlers<Context extends ChatContext>(
  { tokenOf, acknowledge }: Pick<ChatPlatform<Context>, "tokenOf" | "acknowledge">,
  { pressedOn, confirm, settle, act }: PressRules<Context>,
): readonly HandlerFor<Context>[] {
  const press: HandlerFor<Context> = async (context) => {
    const token = tokenOf(context);
    if (token === undefined || isOwnToken(token)) return false;
    const traits = context.intake.buttons.get(parseToken(token).command) ?? {};
    if (traits.confirmed) {
      await acknowledge(context);
      await confirm(context, sureButtons(token));
    } else if (traits.confirms !== undefined || traits.brief) await askOnce(context, token, traits);
    else await act(context, token, traits);
    return true;
  };
  const askOnce = async (context: Context, token: string, traits: CommandTraits) => {
    const { memory, origin } = context;
    const asked = `asks:${origin.user}:${pressedOn(context)}:${token}`;
    if (await memory.get<boolean>(asked)) await acknowledge(context);
    else {
      await act(context, token, traits);
      await memory.set(asked, true, ONE_PRESS_MS);
    }
  };
  // What the process ends in the middle of is handed on once more: it is as old as it was then, and what came since stays.
  const takeAll = async (context: Context, token: string) => {
    const { intake, memory, origin } = context;
    const begun = `begun:${origin.user}:${pressedOn(context)}`;
    const pressedAt = await memory.get<number>(begun);
    if (pressedAt === undefined) await memory.set(begun, currentTime(), BEGUN_MS);
    await intake.act({ ...origin, ...(pressedAt !== undefined && { pressedAt }) }, token);
    await memory.keep(() => memory.delete(begun));
  };
  const sure: HandlerFor<Context> = async (context) => {
    const token = ownPart(tokenOf(context), SURE);
    if (token === undefined) return false;
    await acknowledge(context);
    await settle(context, token !== "");
    if (token) await takeAll(context, token);
    return true;
  };
  return [press, sure];
}

/** The token behind the mark is pressed, or nothing where they let it be. */
const sureButtons = (token: string) => [
  ownAction(SURE, "", { key: "sure.no" }),
  ownAction(SURE, token, { key: "sure.yes" }, "danger"),
];
