import { afterAll, describe, expect, it, vi } from "vitest";
import { Child, hasMachines, onOwnMachine } from "../support/crash-child.ts";
import { startPostgres } from "../support/postgres.ts";
import type { Person } from "../support/whatsapp/person.ts";
import type { MessageBody } from "../support/whatsapp/wire.ts";
import { asksFor, isBegun, isFilm, surroundings } from "../adapters/whatsapp/program-harness.ts";
import { PATIENCE_MS } from "../support/patience.ts";

const server = await startPostgres();
afterAll(() => server?.stop());

const MACHINES = hasMachines();

/** Nothing listens there. */
const NOWHERE = "http://127.0.0.1:9/";

/** Two nodes with one number, each on a machine of its own where that can be had. */
async function installation() {
  const at = await surroundings({ REELAY_STORE: (await server?.createDatabase()) ?? "" });
  const node = async () => {
    const { home, webhook } = await at.place(MACHINES ? onOwnMachine() : []);
    const child = new Child(home);
    await child.url;
    return { child, webhook };
  };
  // The first deals with what arrives.
  const first = await node();
  const second = await node();
  return {
    ...at,
    first,
    second,
    async [Symbol.asyncDispose]() {
      for (const { child } of [first, second]) child.kill();
      await at[Symbol.asyncDispose]();
    },
  };
}

/** Which of a person's messages were answered, in the order of the answers. */
const answered = (person: Person) =>
  person.chat().flatMap(({ from, replyTo }) => (from === "bot" && replyTo !== undefined ? [replyTo] : []));

const sendsFilm = ({ interactive }: MessageBody) => interactive?.header?.video !== undefined;

describe.runIf(server)("two nodes with one number of WhatsApp's", { timeout: 8 * PATIENCE_MS }, () => {
  it("take in what arrives at any of them, once and in its order, and go on where one is killed while it sends", async () => {
    await using at = await installation();
    const { first, second, whatsapp } = at;
    const ann = whatsapp.person({ name: "Ann" });
    const said: string[] = [];
    for (const { webhook } of [second, first, second]) {
      whatsapp.moves(webhook);
      for (let nth = 0; nth < 3; nth += 1) {
        said.push(ann.says("/help").id);
        await whatsapp.untilHeard(PATIENCE_MS);
      }
      await ann.until(() => answered(ann).length >= said.length, { within: PATIENCE_MS });
    }
    expect(answered(ann)).toEqual(said);

    // The same arrives at both at once.
    whatsapp.moves(NOWHERE);
    const last = ann.says("/help");
    // What became of answers of before may arrive nowhere, too.
    const { body, status } = await vi.waitUntil(
      () => whatsapp.webhooks().find((sent) => sent.body.includes(last.id)),
      { timeout: PATIENCE_MS },
    );
    expect(status).toBeUndefined();
    const answers = await Promise.all(
      [first, second, first, second].map(({ webhook }) => whatsapp.posts(webhook, body)),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    whatsapp.moves(second.webhook);
    await ann.until(() => answered(ann).includes(last.id), { within: PATIENCE_MS });
    await whatsapp.untilHeard(PATIENCE_MS);
    expect(answered(ann)).toEqual([...said, last.id]);

    const bob = whatsapp.person({ name: "Bob" });
    whatsapp.fails("messages", { kind: "meets", when: "after", act: () => first.child.kill() }, 1, sendsFilm);
    await asksFor(bob, 3 * PATIENCE_MS);
    await first.child.untilKilled();
    ann.says("/balance");
    await ann.sees("key pays here", { fresh: true, within: PATIENCE_MS });
    await whatsapp.untilHeard(PATIENCE_MS);
    expect(bob.chat().filter(isFilm)).toHaveLength(1);
    expect(bob.chat().filter(isBegun).length).toBeLessThanOrEqual(1);
    expect((await at.sandbox.ledger()).submissions).toHaveLength(1);
  });

  it("go on where one stands still while it sends: what it sent is shown once, and what arrives at it then is dealt with", async () => {
    await using at = await installation();
    const { first, second, whatsapp } = at;
    const ann = whatsapp.person({ name: "Ann" });
    whatsapp.moves(second.webhook);
    whatsapp.fails(
      "messages",
      { kind: "meets", when: "after", act: () => first.child.pause() },
      1,
      sendsFilm,
    );
    await asksFor(ann, 3 * PATIENCE_MS);
    // The other one has taken over.
    ann.says("/balance");
    await ann.sees("key pays here", { fresh: true, within: PATIENCE_MS });
    await whatsapp.untilHeard(PATIENCE_MS);
    whatsapp.moves(first.webhook);
    const last = ann.says("/help");
    first.child.resume();
    await ann.until(() => answered(ann).includes(last.id), { within: PATIENCE_MS });
    await vi.waitFor(
      () => expect(first.child.output).toContain("Another process does from now on what this one did"),
      { timeout: PATIENCE_MS },
    );
    ann.says("/help");
    await ann.sees(() => true, { fresh: true, within: PATIENCE_MS });
    await whatsapp.untilHeard(PATIENCE_MS);
    expect(answered(ann).filter((id) => id === last.id)).toHaveLength(1);
    expect(ann.chat().filter(isFilm)).toHaveLength(1);
    expect((await at.sandbox.ledger()).submissions).toHaveLength(1);
  });
});
