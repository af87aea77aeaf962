import { open } from "node:fs/promises";
import { Readable } from "node:stream";
import type { Surface } from "../../../src/seam/surface/surface.ts";
import type { Address } from "../../../src/seam/values.ts";
import type { CommandSpec } from "../../../src/seam/fields.ts";
import type { Form, ResultView, View } from "../../../src/seam/views.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import type { Translate } from "../../../src/common/i18n.ts";
import type { StatementQuestion } from "./agree.ts";
import { type Destination, destinationOf, targetOf } from "../input/destination.ts";
import type { CliEvent } from "../output/events.ts";
import { changeLineOf, commandLineOf } from "../input/flags.ts";
import { CliProblem, ownProblem } from "../output/problems.ts";
import { extensionOf, isMisnamed } from "../../../src/infrastructure/media/files/file-name.ts";
import { saveMedia, saveStream } from "../input/save.ts";
import { eventOf } from "../output/view-events.ts";
import { currentTime } from "../../../src/common/time.ts";
import { LIMITS } from "./limits.ts";

/** What a surface of the command line needs. */
export interface CliSurfaceParts {
  readonly translate: Translate;
  /** What can be asked for. */
  readonly commands: readonly CommandSpec[];
  /** Where results are saved although their job says otherwise. */
  readonly destination?: Destination | undefined;
  /** Says what happened. */
  readonly tell: (event: CliEvent) => void;
  /** Says what is to be known beside that. */
  readonly aside?: (text: string) => void;
  /** Hears of the core's questions. */
  readonly asked: (question: StatementQuestion) => void;
  /** Hears what replaces an earlier message, which a terminal cannot take back. */
  readonly replaced: (event: CliEvent<"notice">) => void;
}

/** One call of the command line: says things on the terminal and saves results as files. */
export function createCliSurface({
  translate,
  commands,
  destination,
  tell,
  aside = () => {},
  asked,
  replaced,
}: CliSurfaceParts): Surface {
  const stopping = new AbortController();

  /** A receipt is the address itself: what was posted is found by where its file goes. */
  async function post(to: Address, view: View): Promise<Address> {
    const files = await saveFilesOf(to, view);
    const event = eventOf(translate, view, files ?? []);
    if (view.kind === "notice" && view.asks && event.event === "notice")
      asked({ statement: view.asks, event });
    else if (files) tell(event);
    return to;
  }

  /** Returns where its files are now; undefined where that failed, which was told. */
  async function saveFilesOf(to: Address, view: View): Promise<readonly string[] | undefined> {
    if (view.kind === "result") return save(to, view);
    if (view.kind !== "file" || !destination) return [];
    const { name, content } = view.file;
    const place = { ...destination, file: destination.file ?? name };
    try {
      const target = targetOf(place, String(currentTime()), name, 0);
      return [await saveStream(Readable.from([Buffer.from(content)]), target)];
    } catch (error) {
      if (!(error instanceof CliProblem)) throw error;
      tell(ownProblem(translate, new CliProblem("file_not_saved", error.params)));
      return undefined;
    }
  }

  async function save(to: Address, { job, media, cost }: ResultView): Promise<string[]> {
    const place = destination ?? destinationOf(to);
    try {
      const files: string[] = [];
      for (const [index, made] of media.entries()) {
        let extension: string | undefined;
        const targetIn = (name: string, type: string) => {
          extension = extensionOf(type);
          return targetOf(place, job.id, name, index);
        };
        const path = await saveMedia(made, targetIn, stopping.signal);
        files.push(path);
        // A name that was asked for is kept.
        if (extension !== undefined && isMisnamed(path, extension))
          aside(translate("cli.misnamed", { path, type: extension.slice(1).toUpperCase() }));
      }
      return files;
    } catch (error) {
      if (!(error instanceof CliProblem)) throw error;
      const { code, params } = error;
      const problem = ownProblem(translate, new CliProblem(code, { ...params, job: job.id }));
      tell({ ...problem, job: job.id, charged: cost });
      throw new ReelayError("undeliverable", {}, { cause: error });
    }
  }

  return {
    name: "cli",
    limits: LIMITS,
    tellsIn: "platform",
    async start() {},
    deliver: post,

    async revise(receipt, view) {
      if (view.kind !== "notice") return post(receipt, view);
      const event = eventOf(translate, view, []);
      if (event.event === "notice") replaced(event);
      return receipt;
    },

    async collect(_to, form) {
      tell(formEvent(form, commands));
    },

    async openMedia({ id: path }) {
      const file = await open(path).catch((cause: unknown) => {
        throw new ReelayError("media_gone", {}, { cause });
      });
      return file.createReadStream();
    },

    unnamed: () => undefined,
    mentions: () => undefined,
    digestIn: () => undefined,
    async keepPicture({ address }, { name, content }) {
      const place = destination ?? destinationOf(address);
      return {
        surface: "cli",
        id: await saveStream(content, targetOf(place, String(currentTime()), name, 0)),
      };
    },

    // What it made are the person's own files.
    keyConnected: async () => {},
    checkRights: async () => "granted",
    async forget() {},

    expire: async () => {},

    async reach() {
      throw new ReelayError("undeliverable");
    },

    ready: () => !stopping.signal.aborted,

    async stop() {
      stopping.abort();
    },
  };
}

function formEvent(form: Form, commands: readonly CommandSpec[]): CliEvent {
  const { id: name, fields, values } = form;
  const isOperation = commands.some((spec) => spec.name === name && spec.kind === "operation");
  const command = commandLineOf(isOperation ? `run ${name}` : name, form);
  if (isOperation) return { event: "form", name, values, command };
  const changes = fields.map((field) => ({ field, command: changeLineOf(name, field) }));
  return { event: "form", name, values, command, changes };
}
