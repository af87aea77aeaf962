import { EventEmitter, once } from "node:events";
import { open, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { Intake, Rights, Surface, SurfaceLimits } from "../../src/seam/surface/surface.ts";
import type { Origin } from "../../src/seam/origin.ts";
import type { Address, MediaRef, Platform, Receipt, UserId } from "../../src/seam/values.ts";
import type { Form, ResultView, View } from "../../src/seam/views.ts";
import { ReelayError } from "../../src/common/errors.ts";
import { temporaryFolder, testPicture } from "./sandbox.ts";

/** A photo that somebody gave on the page. */
export async function testPhoto(): Promise<MediaRef> {
  const path = join(temporaryFolder(), "photo.jpg");
  await writeFile(path, Buffer.from(await testPicture(), "base64"));
  return { surface: "web", id: path };
}

/** What a person has seen: one message, with every view it showed, and the file of a result. */
export interface SeenMessage {
  readonly address: Address;
  readonly views: View[];
  files: Buffer[];
}

/** A platform in memory: keeps every message, opens pictures from paths, can be told to fail. */
export class MemorySurface implements Surface {
  readonly name: Platform;
  readonly limits: SurfaceLimits = {
    maxUploadBytes: 1e9,
    edit: "yes",
    editIntervalMs: 1,
    windowMs: null,
    text: null,
    buttons: null,
    rows: null,
    video: { bytes: 1e9, codecs: null },
  };
  tellsIn: Surface["tellsIn"] = "platform";
  readonly messages: SeenMessage[] = [];
  readonly forms: Form[] = [];
  /** Called before each delivery and revision; what it throws is what the platform answers. */
  beforePost: (view: View) => Promise<void> | void = () => {};
  readonly #posted = new EventEmitter<{ view: [View] }>().setMaxListeners(0);
  #intake: Intake | undefined;

  constructor(name: Platform = "web") {
    this.name = name;
  }

  async start(intake: Intake): Promise<void> {
    this.#intake = intake;
  }

  get intake(): Intake {
    if (!this.#intake) throw new Error("The surface was not started.");
    return this.#intake;
  }

  async deliver(address: Address, view: View): Promise<Receipt> {
    const shown = this.messages.findIndex(({ views }) => isSameResult(views.at(-1), view));
    const index = shown < 0 ? this.messages.push({ address, views: [], files: [] }) - 1 : shown;
    return this.revise({ index }, view);
  }

  async revise(receipt: Receipt, view: View): Promise<Receipt> {
    await this.beforePost(view);
    const message = this.messages[Number(receipt["index"])];
    if (!message) throw new Error("There is no such message.");
    await this.#show(message, view);
    return receipt;
  }

  digestIn(): undefined {}

  mentions(): undefined {}

  unnamed({ index = null }: Receipt): Receipt {
    return { index };
  }

  async collect(_to: Address, form: Form): Promise<void> {
    this.forms.push(form);
  }

  async openMedia({ id: path }: MediaRef): Promise<Readable> {
    const file = await open(path).catch((cause: unknown) => {
      throw new ReelayError("media_gone", {}, { cause });
    });
    return file.createReadStream();
  }

  async keepPicture(
    _whose: unknown,
    { name, content }: { name: string; content: Readable },
  ): Promise<MediaRef> {
    const path = join(temporaryFolder(), name);
    await writeFile(path, content);
    return { surface: this.name, id: path, name };
  }

  /** Who connected a key elsewhere. */
  readonly connected: UserId[] = [];

  async keyConnected(user: UserId): Promise<void> {
    this.connected.push(user);
  }

  /** Whether what is made can be posted. */
  rights: Rights = "granted";

  async checkRights(): Promise<Rights> {
    return this.rights;
  }

  readonly forgotten: UserId[] = [];

  async forget(user: UserId): Promise<void> {
    this.forgotten.push(user);
  }

  async expire(): Promise<void> {}

  async reach(recipient: string): Promise<Address> {
    return { to: recipient };
  }

  ready(): boolean {
    return this.#intake !== undefined;
  }

  async stop(): Promise<void> {
    this.#intake = undefined;
  }

  /** Every view that is shown now, of one kind. */
  showing<K extends View["kind"]>(kind: K): Extract<View, { kind: K }>[] {
    const last = this.messages.flatMap(({ views }) => views.at(-1) ?? []);
    return last.filter((view): view is Extract<View, { kind: K }> => view.kind === kind);
  }

  /** Waits until what is shown is as wanted. */
  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await once(this.#posted, "view", { signal: AbortSignal.timeout(200_000) });
  }

  /** Waits for that many results; where none is left to come, it says what was shown instead. */
  async results(count: number): Promise<ResultView[]> {
    await this.until(() => this.showing("result").length >= count).catch((error: unknown) => {
      const shown = this.messages.flatMap(({ views }) => views.at(-1) ?? []);
      throw new Error(`There are not ${count} results: ${JSON.stringify(shown)}`, { cause: error });
    });
    return this.showing("result");
  }

  async #show(message: SeenMessage, view: View): Promise<void> {
    if (view.kind === "result") {
      const files = await Promise.all(view.media.map(async (media) => buffer((await media.open()).stream)));
      message.files = files;
    }
    message.views.push(view);
    this.#posted.emit("view", view);
  }
}

/** Whether a view is the result that a message shows already. */
function isSameResult(shown: View | undefined, view: View): boolean {
  return shown?.kind === "result" && view.kind === "result" && shown.job.id === view.job.id;
}

/** A person on the platform in memory, who states what everybody states with whatever they ask for. */
export function person(name: string, platform: Platform = "web"): Origin {
  const user: UserId = `${platform}:${name}`;
  return {
    platform,
    user,
    address: { to: name },
    locale: "en",
    audience: "private",
    agreed: ["terms", "consent", "faces"],
  };
}
