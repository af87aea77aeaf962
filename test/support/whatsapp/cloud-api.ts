import { createHmac } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { Faults, type Fault } from "./faults.ts";
import type { File } from "./media.ts";
import { noSuchObject, Refusal } from "./refusal.ts";
import { answerMessages } from "./sending.ts";
import type { MessageBody } from "./wire.ts";
import type { World } from "./world.ts";

/** The calls that the fake answers, as the description writes them. */
const ROUTES = {
  messages: "POST /{Version}/{Phone-Number-ID}/messages",
  upload: "POST /{Version}/{Phone-Number-ID}/media",
  number: "GET /{Version}/{Phone-Number-ID}",
  link: "GET /{Version}/{Media-ID}",
  remove: "DELETE /{Version}/{Media-ID}",
} as const;

/** What is told of a number where nothing is asked for by name. */
const FIELDS: ReadonlySet<string> = new Set([
  "display_phone_number",
  "verified_name",
  "quality_rating",
  "new_in_next_version",
]);

/** One of the calls. */
export type Route = keyof typeof ROUTES;

/** What is asked for in a call. */
export interface Request {
  readonly version: string;
  readonly token: string | undefined;
  /** The object that the path names: a phone number, a file. */
  readonly id: string;
  readonly query: URLSearchParams;
  /** Reads the JSON, or the file of a form. */
  readonly read: () => Promise<{ readonly body?: MessageBody; readonly file?: File }>;
}

/** One call, as it was understood. */
export interface Call {
  readonly route: Route;
  /** Of a message; empty for what is none, and where it could not be read. */
  readonly body: MessageBody;
  /** When it was answered, in the fake's milliseconds since 1970. */
  readonly at: number;
  readonly result?: object;
  readonly error?: Refusal;
}

/** How a call ends on the wire. */
export type Outcome =
  | { readonly kind: "result"; readonly result: object }
  | { readonly kind: "refusal"; readonly refusal: Refusal }
  | { readonly kind: "page" | "reset" };

/** The calls of the Cloud API over one world. */
export class CloudApi {
  readonly faults = new Faults();
  readonly log: Call[] = [];
  /** The one that is taken; another after the operator made it anew. */
  token: string;
  readonly #world: World;
  readonly #keepsLog: boolean;
  #messages = 0;

  constructor(world: World, token: string, keepsLog: boolean) {
    this.#world = world;
    this.token = token;
    this.#keepsLog = keepsLog;
  }

  /** Handles one call, or lets the fault strike that waits for it. */
  async call(route: Route, request: Request): Promise<Outcome> {
    const { body = {}, file } = await request.read();
    const fault = this.faults.take(route, body) ?? this.#liberty(route, body);
    if (fault?.kind === "slow") await pause(this.#world.clock.real(fault.ms));
    if (fault?.kind === "bad gateway") return { kind: "page" };
    if (fault?.kind === "meets" && fault.when === "before") fault.act();
    if (fault?.kind === "reset before" || (fault?.kind === "meets" && fault.when === "before"))
      return { kind: "reset" };
    const call = this.#handle(route, request, body, file, fault);
    if (this.#keepsLog) this.log.push(call);
    this.#world.changes.emit("change");
    if (this.#world.liberties.statuses === "before") await this.#world.webhook.pump();
    if (fault?.kind === "meets") fault.act();
    if (fault?.kind === "reset after" || fault?.kind === "meets") return { kind: "reset" };
    if (fault?.kind === "internal after")
      return { kind: "refusal", refusal: new Refusal(131000, "Too late.") };
    return call.error
      ? { kind: "refusal", refusal: call.error }
      : { kind: "result", result: call.result ?? {} };
  }

  /** What strikes a message where nothing else does. */
  #liberty(route: Route, { status }: MessageBody): Fault | undefined {
    if (route !== "messages" || status !== undefined) return undefined;
    const { floodEvery, lostPostEvery, lostBy } = this.#world.liberties;
    this.#messages += 1;
    if (floodEvery > 0 && this.#messages % floodEvery === 0) return { kind: "code", code: 130429 };
    return lostPostEvery > 0 && this.#messages % lostPostEvery === 0 ? { kind: lostBy } : undefined;
  }

  #handle(
    route: Route,
    request: Request,
    body: MessageBody,
    file: File | undefined,
    fault: Fault | undefined,
  ): Call {
    const answered = () => ({ route, body, at: this.#world.clock.now() });
    try {
      this.#checkAccess(request);
      if (fault?.kind === "internal") throw new Refusal(131000, "Something went wrong.");
      if (fault?.kind === "code") throw new Refusal(fault.code, "As the test has it.");
      const struck = fault?.kind === "told" ? new Refusal(fault.code, "As the test has it.") : undefined;
      const result = this.#answer(route, request, body, file, struck);
      this.#world.description?.checkAnswer(ROUTES[route], described(result));
      return { ...answered(), result };
    } catch (error) {
      // What is no refusal is a mistake of the fake's own: it shows in the answer, and so in the test.
      const refusal = error instanceof Refusal ? error : new Refusal(2, `The fake failed: ${String(error)}`);
      return { ...answered(), error: refusal };
    }
  }

  #answer(
    route: Route,
    request: Request,
    body: MessageBody,
    file: File | undefined,
    struck: Refusal | undefined,
  ): object {
    const { business, media, liberties, webhook } = this.#world;
    if (route === "link") return media.link(request.id);
    if (route === "remove") {
      media.remove(request.id);
      return { success: true };
    }
    if (request.id !== business.phoneNumberId) throw noSuchObject(request.id);
    if (route === "messages") return answerMessages(this.#world, body, struck);
    if (route === "upload") {
      if (!file) throw new Refusal(100, "The parameter file is required.");
      return { id: media.upload(file).id };
    }
    const asked = request.query.get("fields")?.split(",");
    const told = {
      display_phone_number: `+${business.number}`,
      verified_name: "Reelay",
      quality_rating: "GREEN",
      ...(liberties.hasNews && { new_in_next_version: 1 }),
      // "Overrides": of the app, the account and the number; what is not entered is not there.
      webhook_configuration: webhook.url === undefined ? {} : { application: webhook.url },
    };
    const shown = Object.entries(told).filter(([field]) => asked?.includes(field) ?? FIELDS.has(field));
    return { id: business.phoneNumberId, ...Object.fromEntries(shown) };
  }

  #checkAccess({ token, version, query }: Request): void {
    if (!/^v\d+\.\d+$/.test(version)) throw new Refusal(100, `Unknown path components: /${version}`);
    if (token !== this.token)
      throw new Refusal(190, "Invalid OAuth access token - Cannot parse access token");
    // "Secure Graph API calls": a proof may be shown with any call, and is looked at where it is.
    const proof = query.get("appsecret_proof");
    const meant = createHmac("sha256", this.#world.business.appSecret).update(this.token).digest("hex");
    if (proof !== null && proof !== meant)
      throw new Refusal(100, "Invalid appsecret_proof provided in the API argument");
  }
}

/** The description takes a file's size for a text, where what is answered may be a number, and is older than ids in a number's place. */
function described(result: object): object {
  if ("file_size" in result) return { ...result, file_size: String(result.file_size) };
  if (!("contacts" in result)) return result;
  return { ...result, contacts: [{ input: "1", wa_id: "1" }] };
}
