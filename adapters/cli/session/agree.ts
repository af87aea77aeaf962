import type { Command } from "commander";
import { statementsFor } from "../../../src/seam/forms/agreement.ts";
import type { CommandSpec } from "../../../src/seam/fields.ts";
import type { Intake } from "../../../src/seam/surface/surface.ts";
import type { Origin } from "../../../src/seam/origin.ts";
import { STATEMENT_NAMES, type StatementName, type Values } from "../../../src/seam/values.ts";
import { parseToken } from "../../../src/seam/text/actions.ts";
import type { NoticeView } from "../../../src/seam/views.ts";
import type { Translate } from "../../../src/common/i18n.ts";
import { ListedOption } from "../output/listed-option.ts";
import { askYesNo, canAsk } from "../input/confirm.ts";
import type { CliEvent } from "../output/events.ts";
import { CliProblem, ownProblem } from "../output/problems.ts";
import type { Shell } from "./shell.ts";
import { noticeText, plain } from "../output/text.ts";

/** A question of the core: what it asks for, and how it reads. */
export interface StatementQuestion {
  readonly statement: NonNullable<NoticeView["asks"]>;
  readonly event: CliEvent<"notice">;
}

/** Adds the flag that states something where nobody can be asked. */
export function addAgree(command: Command, translate: Translate): void {
  const description = translate("cli.flag.agree", { names: STATEMENT_NAMES.join(", ") });
  const option = new ListedOption("--agree <names>", description, { values: STATEMENT_NAMES });
  command.addOption(option.argParser(statementsIn));
}

/** What a call states by its flag. */
export function agreedBy(command: Command): readonly StatementName[] {
  return command.opts<{ agree?: readonly StatementName[] }>().agree ?? [];
}

/**
 * Says everything that is still to be stated at once, where nobody can be asked.
 * @throws CliProblem `not_agreed`
 */
export async function requireAgreed(
  { io, runtime, translate }: Shell,
  intake: Intake,
  origin: Origin,
  request: { readonly spec: CommandSpec; readonly values: Values },
): Promise<void> {
  if (canAsk(io)) return;
  const { stated } = await intake.preferences(origin);
  const known = new Set([...stated, ...(origin.agreed ?? [])]);
  const missing = statementsFor(request.spec, request.values).filter((name) => !known.has(name));
  const { termsUrl } = (await runtime.config()).policy;
  const said = missing.map((name) => translate(`statement.${name}`));
  if (missing.includes("terms") && termsUrl !== undefined) said.push(termsUrl);
  if (missing.length > 0) throw notAgreed(missing, said);
}

/**
 * Puts a question to whoever sits there, unless the call answered it already.
 * @param agreed what the call stated by its flag
 * @returns whether they say yes; undefined for Ctrl-C; what went wrong where nobody can be asked, or they say no
 */
export async function answerTo(
  { io, translate }: Shell,
  { statement, event }: StatementQuestion,
  agreed: readonly StatementName[],
  signal: AbortSignal,
): Promise<true | undefined | CliEvent<"problem">> {
  if (agreed.includes(statement)) return true;
  if (!canAsk(io))
    return {
      ...ownProblem(translate, notAgreed([statement], [noticeText(event)])),
      actions: event.actions,
    };
  const answer = await askYesNo(io, translate, plain(noticeText(event)), signal);
  return answer === false ? ownProblem(translate, new CliProblem("declined")) : answer;
}

/**
 * What is said where a call came to nothing but the question whether something is to be taken away, and nobody can be asked.
 * @param told what it was told last
 * @param pressed the button that it pressed, where it pressed one
 */
export function unconfirmed(
  { io, translate }: Shell,
  { buttons }: Pick<Intake, "buttons">,
  told: CliEvent | undefined,
  pressed: string | undefined,
): CliEvent<"problem"> | undefined {
  const takesAway = (token: string) => {
    const { command } = parseToken(token);
    return (
      buttons.get(command)?.confirmed === true ||
      [...buttons.values()].some(({ confirms }) => confirms === command)
    );
  };
  if (canAsk(io) || told?.event !== "notice" || (pressed !== undefined && takesAway(pressed)))
    return undefined;
  const actions = told.actions.filter(({ token }) => takesAway(token));
  if (actions.length === 0) return undefined;
  return { ...ownProblem(translate, new CliProblem("unconfirmed")), actions };
}

function notAgreed(names: readonly StatementName[], said: readonly string[]): CliProblem {
  return new CliProblem("not_agreed", { names: names.join(","), said: said.join(" ") });
}

/** @throws CliProblem `value_invalid` for what is no statement */
function statementsIn(text: string): readonly StatementName[] {
  return text.split(",").map((word) => {
    const found = STATEMENT_NAMES.find((name) => name === word.trim());
    if (!found)
      throw new CliProblem("value_invalid", { flag: "--agree", wanted: STATEMENT_NAMES.join(", ") });
    return found;
  });
}
