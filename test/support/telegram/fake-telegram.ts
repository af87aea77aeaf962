import type { Trouble } from "../file-trouble.ts";
import { BotApi, type Call } from "./bot-api.ts";
import type { Fault } from "./faults.ts";
import { Group, type GroupOptions } from "./group.ts";
import { loadDescription } from "./load-description.ts";
import { Person } from "./person.ts";
import type { Profile } from "./profile.ts";
import { serve, type FakeServer } from "./server.ts";
import { until } from "./waiting.ts";
import type { User } from "./wire.ts";
import { World, type WorldOptions } from "./world.ts";

/** Who a person is. */
export interface PersonOptions {
  readonly name: string;
  readonly language_code?: string;
  readonly username?: string;
}

const BOT: User = { id: 700_000_001, is_bot: true, first_name: "Reelay", username: "reelay_bot" };
const TOKEN = `${BOT.id}:AAFake-token_for-tests`;

/** Beyond 32 bits, as people's ids are today. */
const FIRST_PERSON = 5_100_000_001;
const FIRST_GROUP = 4_000_001;
/** Of nearly 52 bits, also with what marks a supergroup. */
const LONG_ID = 2 ** 52 - 2 ** 41;

/** Telegram for a test: a Bot API over HTTP, and people who talk to the bot. `await using` stops it. */
export class FakeTelegram implements AsyncDisposable {
  readonly bot = BOT;
  readonly token = TOKEN;
  /** For `TELEGRAM_API_ROOT`. */
  readonly url: string;
  readonly #world: World;
  readonly #api: BotApi;
  readonly #server: FakeServer;
  #people = 0;
  #groups = 0;

  private constructor(world: World, api: BotApi, server: FakeServer) {
    this.#world = world;
    this.#api = api;
    this.#server = server;
    this.url = server.url;
  }

  /** Starts one on a free port of this machine. */
  static async start(options: WorldOptions = {}): Promise<FakeTelegram> {
    const world = new World(BOT, TOKEN, options);
    const api = new BotApi(world, await loadDescription(), !options.lean);
    return new FakeTelegram(world, api, await serve(TOKEN, api, world.files));
  }

  /** Somebody who has not met the bot yet: it cannot write to them before they write. */
  person({ name, language_code = "en", username }: PersonOptions): Person {
    const { isNamed, language } = this.#world.liberties;
    const spoken = { known: language_code, none: undefined, unknown: "tlh-Latn-x-qo" }[language];
    const known = username ?? (isNamed ? `${name.toLowerCase()}_films` : undefined);
    const user = this.#user(name, {
      ...(spoken !== undefined && { language_code: spoken }),
      ...(known !== undefined && { username: known }),
      ...(isNamed && { last_name: "Öztürk 🎬" }),
    });
    const chat = { id: user.id, type: "private", first_name: name } as const;
    const room = this.#world.addRoom(chat, false, "never met");
    room.members.set(user.id, user);
    return new Person(this.#world, user, { rooms: [room] });
  }

  /** A group that the bot was added to. */
  group(options: GroupOptions): Group {
    this.#groups += 1;
    return new Group(
      this.#world,
      (this.#world.liberties.ids === "long" ? LONG_ID : FIRST_GROUP) + this.#groups,
      this.#user(`Owner of ${options.title}`),
      options,
    );
  }

  /** What the bot says of itself. */
  get profile(): Profile {
    return this.#world.profile;
  }

  /** Every call of the bot's but getUpdates, in the order of being answered. Empty in a lean fake. */
  calls(method?: string): Call[] {
    return this.#api.log.filter((call) => method === undefined || call.method === method);
  }

  /** Waits until something is so, looking again after each call and each change. */
  async until(isSo: () => boolean, within?: number): Promise<void> {
    const look = () => isSo() || undefined;
    await until(
      this.#world.changes,
      "change",
      look,
      () => `It did not become so: ${isSo.toString()}`,
      within,
    );
  }

  /** Lets the next calls of a method fail. */
  fails(method: string, fault: Fault, times = 1): void {
    this.#api.faults.add(method, fault, times);
  }

  /** Lets the next fetches of files fail. */
  filesFail(trouble: Trouble, times = 1): void {
    this.#world.files.trouble.add(trouble, times);
  }

  /** Lets them work again. */
  filesWork(): void {
    this.#world.files.trouble.clear();
  }

  /** Makes a file unavailable. */
  expire(fileId: string): void {
    this.#world.files.expire(fileId);
  }

  /** Lets the fake's time pass at once, in milliseconds. */
  passTime(ms: number): void {
    this.#world.clock.pass(ms);
  }

  async stop(): Promise<void> {
    this.#api.webhook.stop();
    await this.#server.stop();
    this.#world.files.clear();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  #user(name: string, more: Partial<User> = {}): User {
    this.#people += 1;
    const first = this.#world.liberties.ids === "long" ? LONG_ID : FIRST_PERSON;
    return { id: first + this.#people, is_bot: false, first_name: name, ...more };
  }
}
