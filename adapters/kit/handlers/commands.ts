import { ownPart } from "../../../src/seam/text/actions.ts";
import type { Kind } from "../../../src/seam/browse/place.ts";
import type { CommandSpec } from "../../../src/seam/fields.ts";
import type { Message, NoticeView } from "../../../src/seam/views.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import type { ChatContext } from "../pipeline/context.ts";
import type { HandlerFor } from "../pipeline/handler.ts";
import { catalogueView } from "./browse.ts";
import { runOrOffer } from "./choices.ts";
import {
  isPrivate,
  nearestCommand,
  operationOff,
  specOf,
  type TypedCommand,
  typedName,
} from "./command-names.ts";
import type { ChatPlatform } from "./platform.ts";
import { step, STEP } from "../messages/buttons.ts";
import { helpView } from "./help.ts";
import { commandCalled } from "./said-command.ts";
import { startView } from "./start.ts";

interface CommandRules<Context> {
  /** Asks for a key; tries the words. */
  readonly connect: (context: Context, words: string) => Promise<unknown>;
  /** Gives up what is being prepared; says so where it was one thing. @returns how many there were */
  readonly cancel: (context: Context) => Promise<number>;
  /** Lets somebody make something of what came with a command. */
  readonly begin: (context: Context, spec: CommandSpec, words: string) => Promise<unknown>;
  /** Says in a group that something is for the private chat, which then starts with it. */
  readonly leadToPrivate: (context: Context, start: string) => Promise<unknown>;
  /** Follows a link that starts the chat with something of the platform's own. @returns whether it was one */
  readonly follow: (context: Context, start: string) => Promise<boolean>;
  /** Leads somebody to their own page; asked in private only. */
  readonly studio: (context: Context) => Promise<unknown>;
  readonly explainPhotos: (context: Context) => Promise<unknown>;
}

const STUDIO = "studio";

/** What bots elsewhere call what stands below results here. */
const REPORT = "report";
/** What was reported, for those who decide about it. */
const REPORTS = "reports";

/** Commands as people type them. */
export class TypedCommands<Context extends ChatContext> {
  readonly #platform: ChatPlatform<Context>;
  readonly #rules: CommandRules<Context>;
  /** What the chat does itself, given what stands behind the command. */
  readonly #own: ReadonlyMap<string, (context: Context, words: string) => Promise<unknown>>;

  constructor(platform: ChatPlatform<Context>, rules: CommandRules<Context>) {
    this.#platform = platform;
    this.#rules = rules;
    const browse = (kind: Kind) => async (context: Context, words: string) =>
      platform.post(context, await catalogueView(context, kind, words));
    this.#own = new Map([
      ["start", (context, words) => this.#start(context, words)],
      ["templates", browse("templates")],
      ["models", browse("models")],
      ["cancel", (context) => this.#cancel(context)],
      [STUDIO, (context) => this.#studio(context)],
      ["connect", (context, words) => rules.connect(context, words)],
      ["help", (context) => platform.post(context, helpView(context))],
    ]);
  }

  /** Does what a command asks for. @throws ReelayError `operation_off` */
  async run(context: Context, typed: string, words: string): Promise<unknown> {
    const { intake, origin } = context;
    const own = this.#own.get(typedName(typed));
    if (own) return own(context, words);
    const spec = specOf(intake.commands, typed);
    if (!spec) return this.#sayUnknown(context, typed);
    if (isPrivate(spec) && origin.audience !== "private")
      return this.#rules.leadToPrivate(context, typedName(typed));
    if (spec.kind === "operation") return this.#rules.begin(context, spec, words);
    return runOrOffer(this.#platform, context, spec, words);
  }

  /** Does what somebody writes, where that is a command. */
  typedHandler(
    commandIn: (context: Context) => TypedCommand | undefined | Promise<TypedCommand | undefined>,
  ): HandlerFor<Context> {
    return async (context) => {
      const command = await commandIn(context);
      if (command) await this.run(context, command.name, command.words);
      return command !== undefined;
    };
  }

  /** Buttons that do what a command does, and the one that says how to send a photo. */
  readonly stepHandler: HandlerFor<Context> = async (context) => {
    const name = ownPart(this.#platform.tokenOf(context), STEP);
    if (name === undefined) return false;
    if (name === "photo") await this.#rules.explainPhotos(context);
    else {
      await this.#platform.acknowledge(context);
      await this.run(context, name, "");
    }
    return true;
  };

  /** Links from groups lead to what is answered in private only; whatever else would act without being asked. */
  async #start(context: Context, words: string): Promise<unknown> {
    const spec = specOf(context.intake.commands, words);
    // Anybody can post a link, and whoever follows one has not read what it does.
    if (spec && isPrivate(spec) && (spec.takesAway || spec.handsOut))
      return this.#platform.post(context, offerView(spec));
    if (spec && isPrivate(spec)) return this.run(context, spec.name, "");
    if (typedName(words) === STUDIO) return this.#studio(context);
    const isFollowed = await this.#rules.follow(context, words);
    return isFollowed || this.#platform.post(context, await startView(context));
  }

  /** The way there is for whoever asks alone. */
  #studio(context: Context): Promise<unknown> {
    const isAlone = context.origin.audience === "private";
    return isAlone ? this.#rules.studio(context) : this.#rules.leadToPrivate(context, STUDIO);
  }

  async #cancel(context: Context): Promise<void> {
    const count = await this.#rules.cancel(context);
    if (count === 1) return;
    const text = await notCancelled(context, count);
    const actions = count > 1 ? [] : [step("jobs", { key: "command.jobs" })];
    await this.#platform.post(context, { kind: "notice", text, actions });
  }

  async #sayUnknown(context: Context, name: string): Promise<unknown> {
    const { host, intake } = context;
    // Somebody may know it from before, or from elsewhere: a guess at what they meant would mislead them.
    const operation = operationOff(host.config.policy.operationsOff, name);
    if (operation !== undefined) throw new ReelayError("operation_off", { operation });
    // Whoever writes it without the slash is understood as well.
    const called = commandCalled(context, typedName(name));
    if (called !== undefined && called !== typedName(name)) return this.run(context, called, "");
    const meant = nearestCommand(intake.commands, name);
    const isReport = typedName(name) === REPORT && meant !== REPORTS;
    return this.#platform.post(context, isReport ? reportView(context) : unknownView(name, meant));
  }
}

/** What is said where not one thing was given up, but none or several. @param count how many */
export async function notCancelled(context: ChatContext, count: number): Promise<Message> {
  const none = (await isMaking(context)) ? "chat.cancel.going_on" : "chat.cancel.none";
  return { key: count > 1 ? "chat.cancel.all" : none, params: { count } };
}

/** Whether something of theirs is being made, or waits to be. */
async function isMaking({ intake, origin }: ChatContext): Promise<boolean> {
  for (const status of ["running", "queued"] as const)
    if ((await intake.jobs.list(origin.user, { status, limit: 1 })).length > 0) return true;
  return false;
}

/** Says what a command does, with the button that does it. */
function offerView({ name, label, description }: CommandSpec): NoticeView {
  return { kind: "notice", text: { key: description }, actions: [step(name, { key: label })] };
}

/** Says where results are reported, and what else can be done with one's own. */
function reportView({ say }: ChatContext): NoticeView {
  const params = { report: say("action.report"), jobs: say("command.jobs") };
  const actions = [step("jobs", { key: "command.jobs" }), step("help", { key: "command.help" })];
  return { kind: "notice", text: { key: "chat.report", params }, actions };
}

function unknownView(name: string, meant: string | undefined): NoticeView {
  if (meant === undefined) {
    const actions = [step("help", { key: "command.help" })];
    return { kind: "notice", text: { key: "chat.unknown", params: { name } }, actions };
  }
  const actions = [step(meant, { key: "fact.text", params: { text: `/${meant}` } })];
  return { kind: "notice", text: { key: "chat.unknown.meant", params: { name, meant } }, actions };
}
