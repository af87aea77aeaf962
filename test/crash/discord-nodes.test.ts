import { afterAll, describe, expect, it, vi } from "vitest";
import { cat } from "../adapters/discord/making-harness.ts";
import { surroundings } from "../adapters/discord/program-harness.ts";
import { Child, hasMachines, onOwnMachine } from "../support/crash-child.ts";
import type { Person } from "../support/discord/person.ts";
import { startPostgres } from "../support/postgres.ts";
import { PATIENCE_MS } from "../support/patience.ts";

const server = await startPostgres();
afterAll(() => server?.stop());

const MACHINES = hasMachines();

/** Sends a photo, and waits until it is offered what to make of it; once. */
async function isOffered(person: Person, words: string): Promise<void> {
  const sent = await person.says(words, { files: [cat] });
  await person.sees(`“${words}”`, { within: PATIENCE_MS });
  expect(person.chat().filter(({ replyTo }) => replyTo === sent.id)).toHaveLength(1);
}

describe.runIf(server)("two nodes with one application", { timeout: 6 * PATIENCE_MS }, () => {
  it("have one connection, which another one goes on with where its node is killed, stands still or is stopped", async () => {
    await using at = await surroundings();
    const { gateway } = at.discord;
    const home = {
      ...at.home,
      env: { ...at.home.env, REELAY_STORE: (await server?.createDatabase()) ?? "" },
    };
    const node = () => new Child({ ...home, within: MACHINES ? onOwnMachine() : [] });
    const ann = at.discord.person({ name: "Ann" });
    using killed = node();
    await killed.url;
    using paused = node();
    await paused.url;
    // The end of a process is seen here before that of its connection may be.
    const isOne = () => vi.waitFor(() => expect(gateway.connected).toBe(1), { timeout: PATIENCE_MS });
    await isOne();
    await isOffered(ann, "slow zoom");
    // Once a second it is noted what another one is to go on with.
    killed.kill();
    await killed.untilKilled();
    await isOffered(ann, "leaves moving");
    await isOne();
    expect(gateway.identifies).toBe(1);

    using stopped = node();
    await stopped.url;
    paused.pause();
    await isOffered(ann, "wind in the hair");
    paused.resume();
    await vi.waitFor(
      () => expect(paused.output).toContain("Another process does from now on what this one did"),
      {
        timeout: PATIENCE_MS,
      },
    );
    await isOffered(ann, "a wave");
    stopped.stop();
    await isOffered(ann, "rain");
    await stopped.ended();
    await isOne();
    expect(gateway.identifies).toBe(1);
    expect(gateway.resumes).toBeGreaterThanOrEqual(3);
  });
});
