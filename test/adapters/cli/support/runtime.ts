import { Readable } from "node:stream";
import type { CommandSpec, Quote, Suggestion } from "../../../../src/seam/fields.ts";
import type { PartnerAdmin } from "../../../../src/seam/access/partners.ts";
import type { RunningCore, Runtime } from "../../../../src/seam/surface/runtime.ts";
import type { Intake, Surface } from "../../../../src/seam/surface/surface.ts";
import type { Origin } from "../../../../src/seam/origin.ts";
import type { StatementName, Values } from "../../../../src/seam/values.ts";
import type {
  JobSummary,
  Problem,
  ProblemView,
  ProgressView,
  ResultView,
  View,
} from "../../../../src/seam/views.ts";
import type { ResultMedia } from "../../../../src/infrastructure/media/files/result-media.ts";
import { readConfig } from "../../../../src/app/config.ts";
import { BUTTONS, COMMAND_SPECS, OPERATOR_SPECS } from "../../../../src/domain/dispatch/registry.ts";
import { noJobs } from "../../../support/job-access.ts";
import { noPeople } from "../../../support/no-people.ts";
import { noKeys } from "../../../support/no-keys.ts";
import { noOthers } from "../../../support/no-others.ts";

/** What a scripted core does; `cli` is the surface that the command line made. */
export interface Script {
  readonly commands?: readonly CommandSpec[];
  /** What is wrong with the files. */
  readonly wrong?: readonly Problem[];
  /** What the person stated before; by default what is asked of everybody once. */
  readonly stated?: readonly StatementName[];
  readonly quote?: (name: string, values: Values) => Quote;
  readonly command?: (cli: Surface, origin: Origin, name: string, values: Values) => Promise<void> | void;
  readonly act?: (cli: Surface, origin: Origin, token: string) => Promise<void> | void;
  readonly suggest?: (field: string, partial: string, values: Values) => readonly Suggestion[];
  /** Returns how many jobs there are to take over. */
  readonly silentSince?: () => number | undefined;
  /** How often what a process left at the service keeps a command waiting. */
  readonly left?: number;
  readonly remove?: Intake["jobs"]["remove"];
  readonly list?: Intake["jobs"]["list"];
  readonly find?: Intake["jobs"]["find"];
  readonly adopt?: (cli: Surface) => number;
  readonly stop?: (asking?: Promise<unknown>) => Promise<void> | void;
  readonly keys?: Partial<Intake["keys"]>;
  readonly partners?: Partial<PartnerAdmin>;
  readonly runtime?: Partial<Runtime>;
}

const unused = async () => {
  throw new Error("This was not to be called.");
};

const noAdmin: PartnerAdmin = {
  add: unused,
  list: unused,
  set: unused,
  setKey: unused,
  addToken: unused,
  rotateToken: unused,
  revokeToken: unused,
  remove: unused,
};

/** A composition root whose core follows a script, and what was asked of it. */
export function scriptedRuntime(script: Script) {
  const asked: { name: string; values: Values; origin: Origin }[] = [];
  const pressed: { token: string; origin: Origin }[] = [];
  const state = { opened: 0, stopped: 0 };
  const commands = script.commands ?? [...COMMAND_SPECS, ...OPERATOR_SPECS];

  async function openCore(cli: Surface, onLeft = () => {}): Promise<RunningCore> {
    state.opened += 1;
    const intake: Intake = {
      commands,
      commandsFor: () => commands,
      buttons: BUTTONS,
      jobs: {
        ...noJobs,
        ...(script.remove && { remove: script.remove }),
        ...(script.list && { list: script.list }),
        ...(script.find && { find: script.find }),
      },
      people: async () => noPeople,
      keys: { ...noKeys, ...script.keys },
      runners: noOthers,
      wantsKey: async () => false,
      run: async () => {},
      connect: async () => {},
      async command(origin, name, values) {
        asked.push({ name, values, origin });
        await script.command?.(cli, origin, name, values);
        for (let times = script.left ?? 0; times > 0; times -= 1) onLeft();
        return true;
      },
      answer: async () => true,
      async act(origin, token) {
        pressed.push({ token, origin });
        await script.act?.(cli, origin, token);
      },
      suggest: async (_origin, _name, field, partial, values) =>
        script.suggest?.(field, partial, values) ?? [],
      tokensLeft: async () => null,
      preferences: async () => ({
        locale: "en",
        spendBelow: null,
        stated: script.stated ?? ["terms", "consent"],
      }),
      mayBegin: async () => false,
      admit: async () => {},
      quote: async (_origin, name, values) => ({
        ...(script.quote?.(name, values) ?? { tokens: 6.5, basis: "learned", balance: 100 }),
        asks: [],
      }),
      examine: async () => script.wrong ?? [],
      chatOpened: async () => {},
      notArrived: async () => {},
      rulesIn: async () => ({}),
      groupMoved: async () => {},
      forgetGroup: async () => {},
    };
    await cli.start(intake);
    return {
      intake,
      sandbox: true,
      silentSince: () => script.silentSince?.(),
      adopt: async () => script.adopt?.(cli) ?? 0,
      async stop(asking) {
        state.stopped += 1;
        await cli.stop();
        await script.stop?.(asking);
      },
    };
  }

  const runtime: Runtime = {
    commands: async () => commands,
    loadEnvironment: () => {},
    config: async () => readConfig({}),
    serve: unused,
    shard: unused,
    mcp: unused,
    openCore,
    sandbox: unused,
    doctor: unused,
    safety: unused,
    operators: unused,
    async partners(work) {
      state.opened += 1;
      try {
        return await work({ ...noAdmin, ...script.partners });
      } finally {
        state.stopped += 1;
      }
    },
    usage: unused,
    alerts: unused,
    keys: unused,
    webhooks: unused,
    backUp: unused,
    backUpFor: unused,
    restore: unused,
    move: unused,
    moveFiles: unused,
    rotateSecret: unused,
    asKnown: async (error) => error,
    address: unused,
    loginLink: unused,
    launch: async () => ({ command: "/opt/node", args: ["/opt/reelay/reelay.js"], data: "/var/reelay" }),
    ...script.runtime,
  };
  return { runtime, asked, pressed, state };
}

export const JOB: JobSummary = { id: "j1", operation: "video", values: {}, createdAt: 0 };

/** A job on its way. */
export function progress(state: Omit<ProgressView, "kind" | "job">, id = JOB.id): ProgressView {
  return { kind: "progress", job: { ...JOB, id }, ...state };
}

/** A file of a result. */
export function media(content: string, name = "video-j1", type = "video/mp4"): ResultMedia {
  return {
    kind: "video",
    name,
    open: async () => ({ stream: Readable.from([Buffer.from(content)]), type }),
  };
}

/** A finished job. */
export function result(files: readonly ResultMedia[], id = JOB.id): ResultView {
  const again = { token: `again:${id}`, label: { key: "action.again" }, style: "primary" } as const;
  return {
    kind: "result",
    job: { ...JOB, id },
    media: files,
    cost: 6.5,
    balance: 93.5,
    tookMs: 12_000,
    spoiler: false,
    actions: [again],
  };
}

/** A failure. */
export function problem(code: ProblemView["problem"]["code"], params = {}): ProblemView {
  return { kind: "problem", problem: { code, params }, charged: 0 };
}

/** Delivers views one after the other, each to where the one before was posted, as the core does for a job. */
export async function tellAll(cli: Surface, origin: Origin, views: readonly View[]): Promise<void> {
  let receipt: Awaited<ReturnType<Surface["deliver"]>> | undefined;
  for (const view of views) {
    receipt = receipt ? await cli.revise(receipt, view) : await cli.deliver(origin.address, view);
  }
}
