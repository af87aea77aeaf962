import type { Account } from "../accounts/accounts.ts";
import { asReelayError, ReelayError } from "../../common/errors.ts";
import type { CommandRequest, Command, CommandParts, Context } from "../commands/command.ts";
import { makeJobAccess } from "./job-access.ts";
import { BUTTONS, COMMAND_SPECS, COMMANDS, OPERATOR_SPECS } from "./registry.ts";
import { connect, connectKey, tellWaiting } from "../commands/connect.ts";
import { keySchema } from "../people/own-key.ts";
import { admit, propose } from "../commands/generate.ts";
import { examine } from "../operations/examine.ts";
import { checkValues, fieldsOf } from "../operations/fields.ts";
import { operationOf } from "../operations/registry.ts";
import { balanceOf } from "../jobs/quote.ts";
import { redeliverUnreached } from "../jobs/wake.ts";
import { nearestLocale } from "../../common/i18n.ts";
import { hasDeclared, isOff, standing } from "../policy/decision.ts";
import { isOperator, isOwn } from "../accounts/subjects.ts";
import { parseToken } from "../../seam/text/actions.ts";
import { refusalView } from "../../seam/text/notices.ts";
import type { Group } from "../../seam/access/groups.ts";
import type { CommandSpec, FieldSpec, Proposal, Quote, Suggestion } from "../../seam/fields.ts";
import type { JobAccess } from "../../seam/access/jobs.ts";
import type { PeopleDesk } from "../../seam/access/people-desk.ts";
import type { KeyWatch } from "../../seam/access/keys.ts";
import type { Intake, OpenedChat, Preferences, RunnerWatch } from "../../seam/surface/surface.ts";
import type { Origin } from "../../seam/origin.ts";
import type { Problem, View } from "../../seam/views.ts";
import {
  type ChatId,
  type Platform,
  platformOf,
  type UserId,
  type Value,
  type Values,
} from "../../seam/values.ts";

/** The way in: checks what came from a platform and runs the command that it is for. */
export class CommandDispatcher implements Intake {
  readonly commands: readonly CommandSpec[];
  readonly buttons = BUTTONS;
  readonly jobs: JobAccess;
  readonly keys: KeyWatch;
  readonly runners: RunnerWatch;
  readonly #parts: CommandParts;

  /** @param platform what is offered there: without what the operator switched off */
  constructor(parts: CommandParts, platform: Platform) {
    this.#parts = parts;
    this.commands = this.#offeredOn(
      platform,
      isOwn(platform) ? [...COMMAND_SPECS, ...OPERATOR_SPECS] : COMMAND_SPECS,
    );
    this.keys = parts.keys;
    this.runners = parts.runners;
    this.jobs = makeJobAccess(parts, this.commands, (origin) => this.#asking(origin));
  }

  commandsFor(user: UserId): readonly CommandSpec[] {
    if (isOperator(user)) return this.commands;
    return this.#offeredOn(
      platformOf(user),
      this.commands.filter((spec) => !OPERATOR_SPECS.includes(spec)),
    );
  }

  #offeredOn(platform: Platform, specs: readonly CommandSpec[]): readonly CommandSpec[] {
    const { operationsOff } = this.#parts.policy;
    return specs.filter(({ name }) => !isOff(name, platform, operationsOff));
  }

  async wantsKey(origin: Origin): Promise<boolean> {
    try {
      await this.#account(origin);
      return false;
    } catch (error) {
      if (error instanceof ReelayError && error.code === "not_connected") return true;
      throw error;
    }
  }

  /** A failure is delivered as a problem, a second press as a notice, to where the command came from; it is never thrown. */
  async command(origin: Origin, name: string, values: Values): Promise<boolean> {
    try {
      await this.run(origin, name, values);
      return true;
    } catch (error) {
      await this.#context(origin, name).reply(refusalView(asReelayError(error)));
      return false;
    }
  }

  async run(origin: Origin, name: string, values: Values): Promise<void> {
    await this.#telling(name, async () => {
      const command = commandOf(name);
      if (!command.forEverybody) await this.#parts.gate.admit(origin, command.forModerators);
      await this.#refuseKeys(origin, command, values);
      await command.run(this.#context(origin, name), values);
    });
  }

  async connect(origin: Origin, key: string): Promise<void> {
    await this.#telling(connect.name, async () => {
      await this.#parts.gate.admit(origin);
      const context = this.#context(origin, connect.name);
      await connectKey(context, checkValues(keySchema, { key }).key);
      await tellWaiting(context);
    });
  }

  /** A form is answered by the command it was made for: its id is the command's name. */
  answer(origin: Origin, formId: string, values: Values): Promise<boolean> {
    return this.command(origin, formId, values);
  }

  async act(origin: Origin, token: string): Promise<void> {
    const { command, arg } = parseToken(token);
    // What is called by its name alone has no button: such a one was written by somebody.
    const hasNone = COMMANDS.some(({ name, schema }) => name === command && !("of" in schema.shape));
    await this.command(origin, hasNone ? `${command}:${arg}` : command, { of: arg });
  }

  async suggest(
    origin: Origin,
    name: string,
    field: string,
    partial: string,
    values: Values,
  ): Promise<readonly Suggestion[]> {
    const { catalogue, gate } = this.#parts;
    const command = commandOf(name);
    // A button has no fields that anybody fills in.
    if (command.kind === "button") throw new ReelayError("field_unknown", { name: field });
    await this.#refuseKeys(origin, command, { ...values, [field]: partial });
    const spec = fieldsOf(command.schema).find((candidate) => candidate.name === field);
    if (spec?.catalogue === undefined) throw new ReelayError("field_unknown", { name: field });
    const { catalogue: source, within } = spec;
    const account = await this.#account(origin);
    const parent = within === undefined ? undefined : textOf(values[within]);
    if (within !== undefined && parent === undefined) return [];
    const found = await catalogue.search(source, account, partial, parent);
    return (await gate.hasMature(origin)) ? found : found.filter(({ mature = false }) => !mature);
  }

  async admit(origin: Origin, name: string): Promise<void> {
    await this.#parts.gate.admit(origin);
    await admit({ ...this.#parts, origin }, operationOf(name));
  }

  async quote(origin: Origin, name: string, values: Values): Promise<Proposal> {
    const operation = operationOf(name);
    await this.#refuseKeys(origin, commandOf(name), values);
    const checked = checkValues(operation.schema, values);
    return propose(this.#asking(origin), operation, checked, this.#parts.experienced);
  }

  async tokensLeft(origin: Origin): Promise<number | null> {
    try {
      await this.#parts.gate.admit(origin);
      const account = await this.#account(origin);
      return account.tellsBalance ? await balanceOf(account) : null;
    } catch (error) {
      if (error instanceof ReelayError) return null;
      throw error;
    }
  }

  async mayBegin(origin: Origin, name: string, values: Values, quote?: Quote): Promise<boolean> {
    const { spendBelow } = await this.#parts.people.of(origin.user);
    const operation = operationOf(name);
    if (spendBelow === undefined || operation.agreement !== undefined) return false;
    try {
      const { tokens } = quote ?? (await this.quote(origin, name, values));
      if (tokens === null || tokens > spendBelow) return false;
      // Where nobody presses anything, nothing else says whether the result could come there.
      return (await admit({ ...this.#parts, origin }, operation)) === "granted";
    } catch {
      // What is wrong with it is told where it is shown.
      return false;
    }
  }

  async preferences({ user, chat, locale }: Origin): Promise<Preferences> {
    const { people, groups, defaultLocale, policy } = this.#parts;
    const person = await people.of(user);
    const { locale: chosen, spendBelow = null } = person;
    const { locale: spokenHere } = await groups.of(chat);
    return {
      locale: chosen ?? spokenHere ?? nearestLocale(locale, defaultLocale),
      spendBelow,
      stated: standing(person, policy.termsUrl),
    };
  }

  async examine(origin: Origin, fields: readonly FieldSpec[], values: Values): Promise<readonly Problem[]> {
    const { gate, log, scratch: dir, surfaces } = this.#parts;
    try {
      await gate.admit(origin);
    } catch (error) {
      // What follows tells them; nothing is worked on for them.
      if (error instanceof ReelayError) return [];
      throw error;
    }
    return examine(fields, values, { surfaces, dir, log });
  }

  async chatOpened(chat: OpenedChat): Promise<void> {
    const { ledger, takeBacks, log } = this.#parts;
    // There may be many, one after the other; nobody waits for them.
    takeBacks
      .retry(chat)
      .catch((err: unknown) => log.warn({ err }, "Messages of deleted jobs are still to be taken away"));
    await redeliverUnreached(ledger, chat);
  }

  async notArrived(user: UserId, id: string): Promise<void> {
    const { ledger, surfaces } = this.#parts;
    await ledger.retell(id, surfaces.names, async (_, job) => ({
      // That may be heard before it is on disk that the platform took it.
      retell: job.user === user && (job.delivery === "delivered" || job.delivery === "delivering"),
    }));
  }

  /** Loaded where it is asked for: few ever open the console. */
  async people(): Promise<PeopleDesk> {
    const { makePeopleDesk } = await import("./people-desk.ts");
    return makePeopleDesk(this.#parts);
  }

  rulesIn(chat: ChatId): Promise<Group> {
    return this.#parts.groups.of(chat);
  }

  async groupMoved(from: ChatId, to: ChatId): Promise<void> {
    const { blocks, groups, groupKeys, reportNews } = this.#parts;
    await groups.move(from, to);
    await blocks.moveGroup(from, to);
    await groupKeys.move(from, to);
    // What was made in the group stays that of its id before.
    await reportNews.forget(from);
  }

  async forgetGroup(chat: ChatId): Promise<void> {
    const { blocks, groups, groupKeys, reportNews } = this.#parts;
    await groups.forget(chat);
    await blocks.forgetGroup(chat);
    await groupKeys.retire(chat);
    await reportNews.forget(chat);
  }

  /** @throws ReelayError for whatever is thrown: what nobody expects is logged */
  async #telling(command: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const refusal = asReelayError(error);
      const { left, log } = this.#parts;
      // What a stop has left behind fails of that alone.
      if (refusal.code === "internal" && !left.aborted)
        log.error({ err: error, command }, "A command failed");
      throw refusal;
    }
  }

  async #account(origin: Origin): Promise<Account> {
    const { accounts, gate, hostFor, people, policy } = this.#parts;
    await gate.admit(origin);
    const { user, chat, audience } = origin;
    const adult = hasDeclared(await people.of(user), "adult", policy.termsUrl);
    const trusted = audience === "partner" && (await gate.hasMature(origin));
    return accounts.of({ user, chat, host: hostFor({ audience, adult, trusted }) });
  }

  #asking(origin: Origin): CommandRequest {
    return { ...this.#parts, origin, account: () => this.#account(origin) };
  }

  /** Whatever an adapter let through: no word that goes further is a key. @throws ReelayError `key_in_words` */
  async #refuseKeys(origin: Origin, { kind, schema }: Pick<Command, "kind" | "schema">, values: Values) {
    // What buttons say is no field that people fill in, and has no name as one.
    if (kind === "button") return;
    const found = await this.keys.findIn(origin, fieldsOf(schema), values);
    if (found) throw new ReelayError("key_in_words", { field: found.field });
  }

  /**
   * Answers a command. That the platform does not take an answer undoes nothing of what was done: it is logged as what it
   * is, and said once where something else may be taken. A file was what was asked for: without it nothing was done.
   */
  async #reply(origin: Origin, command: string, view: View): Promise<void> {
    try {
      await this.#parts.surfaces.of(origin.platform).deliver(origin.address, view);
    } catch (err) {
      const code = unpostedCode(err);
      if (code === undefined || view.kind === "file") throw err;
      // That people keep a bot out is no failure.
      this.#parts.log[code === "undeliverable" ? "info" : "warn"](
        { err, command },
        "An answer was not taken by its platform",
      );
      const isSaid = view.kind === "problem" && view.problem.code === "not_posted";
      if (code === "not_posted" && !isSaid)
        await this.#reply(origin, command, refusalView({ code, params: {} }));
    }
  }

  #context(origin: Origin, name: string): Context {
    const surface = this.#parts.surfaces.of(origin.platform);
    return {
      ...this.#asking(origin),
      reply: (view) => this.#reply(origin, name, view),
      ask: (form) => surface.collect(origin.address, form),
      again: (name, values, said) => this.run({ ...origin, ...said }, name, values),
    };
  }
}

/** Why a platform did not take what was to be posted; undefined for what is not the platform's doing. */
function unpostedCode(error: unknown): "undeliverable" | "not_posted" | undefined {
  if (!(error instanceof ReelayError)) return undefined;
  return error.code === "undeliverable" || error.code === "not_posted" ? error.code : undefined;
}

const textOf = (value: Value | undefined) => (typeof value === "string" ? value : undefined);

function commandOf(name: string): Command {
  const command = COMMANDS.find((candidate) => candidate.name === name);
  if (!command) throw new ReelayError("unknown_command", { name });
  return command;
}
