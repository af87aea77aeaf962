/** Something to be done for somebody; it does not throw. */
type Work = () => Promise<void>;

/** Somebody in a chat: what they do there waits for nothing that they do in another. */
export interface PersonInChat {
  readonly person: string;
  readonly chat: string;
}

/** What waits of one person in one chat; also while some of it is under way. */
interface Line {
  readonly chat: string;
  readonly waiting: Work[];
}

/**
 * Work of one person in one chat in its order, everything else side by side. Whoever has much to be done waits behind
 * everybody else after each piece of it, and a busy chat, whose platform lets it speak a few times a minute, leaves most
 * places to the others.
 */
export class FairQueue {
  readonly #most: number;
  readonly #mostInChat: number;
  readonly #lines = new Map<string, Line>();
  /** Lines that are next, in this order. */
  readonly #ready: string[] = [];
  readonly #underWay = new Set<Promise<void>>();
  readonly #underWayIn = new Map<string, number>();
  #stopped = false;

  /**
   * @param most how many pieces are under way at once
   * @param mostInChat how many of them in one chat
   */
  constructor(most: number, mostInChat: number = Math.ceil(most / 4)) {
    this.#most = most;
    this.#mostInChat = mostInChat;
  }

  add({ person, chat }: PersonInChat, work: Work): void {
    const name = `${person} ${chat}`;
    const line = this.#lines.get(name);
    if (line) {
      line.waiting.push(work);
    } else {
      this.#lines.set(name, { chat, waiting: [work] });
      this.#ready.push(name);
      this.#advance();
    }
  }

  /** Begins nothing more. Resolves when what is under way has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#underWay);
  }

  #advance(): void {
    while (!this.#stopped && this.#underWay.size < this.#most) {
      const next = this.#ready.findIndex((name) => this.#hasRoom(name));
      const [name] = next < 0 ? [] : this.#ready.splice(next, 1);
      const line = name === undefined ? undefined : this.#lines.get(name);
      if (name === undefined || !line) return;
      this.#count(line.chat, 1);
      const running = this.#run(name, line).finally(() => {
        this.#underWay.delete(running);
        this.#count(line.chat, -1);
        this.#advance();
      });
      this.#underWay.add(running);
    }
  }

  #hasRoom(name: string): boolean {
    const chat = this.#lines.get(name)?.chat ?? "";
    return (this.#underWayIn.get(chat) ?? 0) < this.#mostInChat;
  }

  #count(chat: string, change: 1 | -1): void {
    const count = (this.#underWayIn.get(chat) ?? 0) + change;
    if (count === 0) this.#underWayIn.delete(chat);
    else this.#underWayIn.set(chat, count);
  }

  async #run(name: string, { waiting }: Line): Promise<void> {
    await waiting.shift()?.();
    if (waiting.length > 0) this.#ready.push(name);
    else this.#lines.delete(name);
  }
}
