import type { Trouble } from "../file-trouble.ts";
import { until } from "../telegram/waiting.ts";
import { type Call, CloudApi, type Route } from "./cloud-api.ts";
import { loadDescription } from "./description.ts";
import type { Fault } from "./faults.ts";
import { Person } from "./person.ts";
import { type FakeServer, serve } from "./server.ts";
import type { Template } from "./templates.ts";
import type { SentWebhook } from "./webhook.ts";
import type { MessageBody } from "./wire.ts";
import { type Business, Room, World, type WorldOptions } from "./world.ts";

const TOKEN = `EAAG${"fake0token0for0tests0".repeat(6)}ZCZA`;

const BUSINESS: Business = {
  phoneNumberId: "106540352242922",
  number: "15550783881",
  account: "102290129340398",
  appSecret: "0123456789abcdef0123456789abcdef",
  verifyToken: "a word of the operator's for tests",
};

/** Digits alone: country code and number. */
const FIRST_PERSON = 16_505_550_100;

/** WhatsApp for a test: the Cloud API over HTTP, and people who write to the business. `await using` stops it. */
export class FakeWhatsapp implements AsyncDisposable {
  /** For `WHATSAPP_API_ROOT`. */
  readonly url: string;
  /** For `WHATSAPP_PHONE_NUMBER_ID`, `WHATSAPP_APP_SECRET` and `WHATSAPP_VERIFY_TOKEN`. */
  readonly phoneNumberId = BUSINESS.phoneNumberId;
  readonly appSecret = BUSINESS.appSecret;
  readonly verifyToken = BUSINESS.verifyToken;
  readonly #world: World;
  readonly #api: CloudApi;
  readonly #server: FakeServer;
  #people = 0;

  private constructor(world: World, api: CloudApi, server: FakeServer) {
    this.#world = world;
    this.#api = api;
    this.#server = server;
    this.url = server.url;
  }

  /** Starts one on a free port of this machine. */
  static async start(options: WorldOptions = {}): Promise<FakeWhatsapp> {
    const world = new World(BUSINESS, await loadDescription(), options);
    const api = new CloudApi(world, TOKEN, !options.lean);
    return new FakeWhatsapp(world, api, await serve(api, world));
  }

  /** For `WHATSAPP_TOKEN`. */
  get token(): string {
    return this.#api.token;
  }

  /** Everything that a program needs to be set. */
  get settings(): Readonly<Record<string, string>> {
    return {
      WHATSAPP_TOKEN: this.token,
      WHATSAPP_PHONE_NUMBER_ID: this.phoneNumberId,
      WHATSAPP_APP_SECRET: this.appSecret,
      WHATSAPP_VERIFY_TOKEN: this.verifyToken,
      WHATSAPP_API_ROOT: this.url,
    };
  }

  /** Somebody with WhatsApp, who has not written yet: only a template may be sent to them. */
  person({ name }: { readonly name: string }): Person {
    this.#people += 1;
    const room = new Room(String(FIRST_PERSON + this.#people), name, this.#world.limits);
    this.#world.rooms.set(room.waId, room);
    return new Person(this.#world, room);
  }

  /**
   * Has webhooks sent to a URL from now on, as it is entered at Meta.
   * @throws Error when the URL does not answer the challenge, or answers one with another's word
   */
  async subscribes(url: string): Promise<void> {
    const challenge = String(1_158_201_444 + this.#world.tick);
    const forged = await this.verifies(url, challenge, "another word");
    if (forged.ok || forged.text.includes(challenge))
      throw new Error(`The webhook answered ${forged.status} to another's word.`);
    const { status, text } = await this.verifies(url, challenge);
    if (status !== 200 || text !== challenge)
      throw new Error(
        `The webhook answered ${status} ${JSON.stringify(text)} to the challenge ${challenge}.`,
      );
    this.moves(url);
  }

  /** Has webhooks sent to another URL, without asking it: what was there moved. */
  moves(url: string): void {
    this.#world.webhook.url = url;
    void this.#world.webhook.pump();
  }

  /** Asks a URL for the challenge. */
  async verifies(
    url: string,
    challenge: string,
    word: string = this.verifyToken,
  ): Promise<{ readonly status: number; readonly ok: boolean; readonly text: string }> {
    const query = new URLSearchParams({
      "hub.mode": "subscribe",
      "hub.challenge": challenge,
      "hub.verify_token": word,
    });
    const response = await fetch(`${url}?${query.toString()}`);
    return { status: response.status, ok: response.ok, text: await response.text() };
  }

  /**
   * Sends a webhook of the test's own, once.
   * @param signature what its header says; "" for none
   */
  posts(url: string, body: string, signature?: string): Promise<Response> {
    return this.#world.webhook.send(url, body, signature);
  }

  /** What stands in the signature's header for a body. */
  signatureOf(body: string): string {
    return this.#world.webhook.signatureOf(body);
  }

  /** Every call, in the order of being answered. Empty in a lean fake. */
  calls(route?: Route): Call[] {
    return this.#api.log.filter((call) => route === undefined || call.route === route);
  }

  /** Every webhook, in the order of being answered, once for each try. */
  webhooks(): readonly SentWebhook[] {
    return this.#world.webhook.log;
  }

  /** Waits until every webhook was answered 200. */
  async untilHeard(within?: number): Promise<void> {
    const stop = setInterval(() => this.#world.changes.emit("change"), 20);
    try {
      await this.until(() => this.#world.webhook.isIdle, within);
    } finally {
      clearInterval(stop);
    }
  }

  /** Waits until something is so, looking again after each call and each change. */
  async until(isSo: () => boolean, within?: number): Promise<void> {
    const look = () => isSo() || undefined;
    const missing = () => `It did not become so: ${isSo.toString()}`;
    await until(this.#world.changes, "change", look, missing, within);
  }

  /** Lets the next calls of a route fail. @param isMeant which messages; any unless given */
  fails(route: Route, fault: Fault, times = 1, isMeant?: (body: MessageBody) => boolean): void {
    this.#api.faults.add(route, fault, times, isMeant);
  }

  /** Lets the next fetches of files fail. */
  filesFail(trouble: Trouble, times = 1): void {
    this.#world.media.trouble.add(trouble, times);
  }

  /** Lets them work again. */
  filesWork(): void {
    this.#world.media.trouble.clear();
  }

  /** Makes a file unavailable. */
  expire(id: string): void {
    this.#world.media.remove(id);
  }

  /** Has the operator enter a template, or change one. */
  enters(template: Template): void {
    const { templates } = this.#world;
    const at = templates.findIndex((one) => one.name === template.name && one.language === template.language);
    templates.splice(at < 0 ? templates.length : at, at < 0 ? 0 : 1, template);
  }

  /** Takes the token back: from now on every call is refused until `renews`. */
  revokes(): void {
    this.#api.token = "EAAGanother";
  }

  /** Takes the first token again. */
  renews(): void {
    this.#api.token = TOKEN;
  }

  /** Lets the fake's time pass at once, in milliseconds. */
  passTime(ms: number): void {
    this.#world.clock.pass(ms);
  }

  async stop(): Promise<void> {
    this.#world.webhook.stop();
    await this.#server.stop();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}
