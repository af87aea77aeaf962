import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Audit } from "../../../src/domain/audit/audit.ts";
import type { Database } from "../../../src/infrastructure/storage/database.ts";
import {
  LINK_MS,
  operatorAddress,
  type OperatorRole,
  type Operators,
  TERMINAL_OWNER as OWNER,
} from "../../../src/seam/access/operators.ts";
import type { UserId } from "../../../src/seam/values.ts";
import { testDatabase } from "../../support/database.ts";
import { testOperators } from "../../support/operators.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

const PUBLIC = { host: "127.0.0.1", publicUrl: "https://reelay.example" };

let database: Database;
let operators: Operators;
beforeEach(async () => {
  database = await testDatabase(join(temporaryFolder(), "reelay.db"));
  operators = await testOperators(PUBLIC, database);
});
afterEach(async () => {
  vi.useRealTimers();
  await database.close();
});

/** Somebody who came in by their invitation. */
async function entered(role: OperatorRole, name: string): Promise<UserId> {
  const { token } = await operators.invite(role, OWNER);
  return (await operators.enter(token, name)).id;
}

const refused = (code: string) => expect.objectContaining({ code });

async function trail(): Promise<string[]> {
  const lines = await (await Audit.open(database, "digest")).read({ limit: 50 });
  return lines.map(({ act, user, rule }) => [user, act, rule].filter(Boolean).join(" ")).toReversed();
}

describe("whoever has the terminal", () => {
  it("is an owner, whom nobody takes away", async () => {
    expect(await operators.find(OWNER)).toMatchObject({ role: "owner", name: null });
    await expect(operators.remove(OWNER, OWNER)).rejects.toEqual(refused("terminal_owner"));
    const change = { from: "owner", to: "viewer" } as const;
    await expect(operators.setRole(OWNER, change, OWNER)).rejects.toEqual(refused("terminal_owner"));
    await expect(operators.link(OWNER, OWNER)).rejects.toEqual(refused("terminal_owner"));
    expect(await operators.list()).toHaveLength(1);
    expect(await trail()).toEqual([]);
  });

  it("stays one when the last of those who were invited goes, by their own hand too", async () => {
    const ann = await entered("owner", "Ann");
    await operators.remove(ann, ann);
    expect(await operators.find(ann)).toBeUndefined();
    expect(await operators.find(OWNER)).toMatchObject({ role: "owner" });
  });
});

describe("a link", () => {
  it("lets one person in, once, under the name that they choose", async () => {
    const { operator, token } = await operators.invite("viewer", OWNER);
    expect(operator).toMatchObject({ role: "viewer", name: null, invitedBy: OWNER, seenAt: null });
    const ann = await operators.enter(token, "  Ann ");
    expect(ann).toMatchObject({ id: operator.id, role: "viewer", name: "Ann", linkUntil: null });
    expect(ann.seenAt).not.toBeNull();
    await expect(operators.enter(token, "Bob")).rejects.toEqual(refused("link_over"));
    expect((await operators.list()).map(({ name }) => name)).toEqual([null, "Ann"]);
  });

  it("is over whatever name comes with it, and good until a name came", async () => {
    const { token } = await operators.invite("viewer", OWNER);
    for (const none of ["", "x".repeat(100)])
      await expect(operators.enter(token, none)).rejects.toMatchObject({ code: "operator_name" });
    await operators.enter(token, "Ann");
    await expect(operators.enter(token, "")).rejects.toEqual(refused("link_over"));
  });

  it("is kept as a digest alone, and stands in the fragment of an address", async () => {
    const made = await operators.invite("viewer", OWNER);
    const [, secret = ""] = made.token.split(".");
    expect(secret.length).toBeGreaterThanOrEqual(43);
    const rows = await database.kysely.selectFrom("operators").selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(secret);
    expect((await trail()).join()).not.toContain(secret);
    const address = new URL(operatorAddress("https://reelay.example", made));
    expect([address.pathname, address.search]).toEqual(["/", ""]);
    expect(address.hash).toBe(`#join=${made.token}`);
  });

  it("ends after a day, and when a newer one is made", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const first = await operators.invite("operator", OWNER);
    const { id } = first.operator;
    const second = await operators.link(id, OWNER);
    await expect(operators.enter(first.token, "Ann")).rejects.toEqual(refused("link_over"));
    vi.setSystemTime(Date.now() + LINK_MS);
    await expect(operators.enter(second.token, "Ann")).rejects.toEqual(refused("link_over"));
    const third = await operators.link(id, OWNER);
    vi.setSystemTime(Date.now() + LINK_MS - 1);
    expect(await operators.enter(third.token, "Ann")).toMatchObject({ id, role: "operator" });
  });

  it("keeps the name of whoever was here before", async () => {
    const ann = await entered("moderator", "Ann");
    const made = await operators.link(ann, ann);
    expect(operatorAddress("https://reelay.example", made)).toContain("/#enter=");
    expect(await operators.enter(made.token, "Somebody else")).toMatchObject({ id: ann, name: "Ann" });
  });

  it.each(["", ".", "op-00000000.", "me.x", "x.y.z"])("is nothing that was made up: %j", async (token) => {
    await operators.invite("owner", OWNER);
    await expect(operators.enter(token, "Ann")).rejects.toEqual(refused("link_over"));
  });

  it("is made for nobody where the page asks nobody who they are", async () => {
    const open = await testOperators({ host: "127.0.0.1", publicUrl: undefined }, database);
    await expect(open.invite("viewer", OWNER)).rejects.toEqual(refused("no_login"));
    await expect(open.link("web:op-1", OWNER)).rejects.toEqual(refused("no_login"));
    expect(await open.list()).toHaveLength(1);
  });
});

describe("a name", () => {
  it.each(["", "   ", "a".repeat(41), "Ann\u202Eevil", "An\u0000n", "A\u200Bnn", "a\nb"])(
    "is refused that is none: %j",
    async (name) => {
      const { token } = await operators.invite("viewer", OWNER);
      await expect(operators.enter(token, name)).rejects.toEqual(refused("operator_name"));
      expect(await operators.enter(token, "Ann")).toMatchObject({ name: "Ann" });
    },
  );

  it("is asked for where none was given", async () => {
    const { token } = await operators.invite("viewer", OWNER);
    await expect(operators.enter(token, undefined)).rejects.toEqual(refused("operator_name"));
  });

  it("is one person's, however it is written, until they are gone", async () => {
    const ann = await entered("viewer", "Ann");
    const { token } = await operators.invite("viewer", OWNER);
    await expect(operators.enter(token, "ANN")).rejects.toEqual(refused("operator_name_taken"));
    await operators.remove(ann, OWNER);
    expect(await operators.enter(token, "ann")).toMatchObject({ name: "ann" });
  });

  it("is no key", async () => {
    const { token } = await operators.invite("viewer", OWNER);
    await expect(operators.enter(token, `whsec_${"a".repeat(33)}`)).rejects.toEqual(refused("key_in_words"));
  });

  it("finds somebody, as an id does", async () => {
    const id = await entered("viewer", "Ann");
    expect(await operators.named("ann")).toMatchObject({ id });
    expect(await operators.named(id)).toMatchObject({ name: "Ann" });
    await expect(operators.named("Bob")).rejects.toEqual(refused("operator_unknown"));
  });
});

describe("who may change what", () => {
  it.each(["operator", "moderator", "viewer"] as const)("keeps a mere %s from it", async (role) => {
    const ann = await entered(role, "Ann");
    const bob = await entered("viewer", "Bob");
    const before = await operators.list();
    await expect(operators.invite("owner", ann)).rejects.toEqual(refused("role_may_not"));
    await expect(operators.link(bob, ann)).rejects.toEqual(refused("role_may_not"));
    await expect(operators.remove(bob, ann)).rejects.toEqual(refused("role_may_not"));
    const change = { from: role, to: "owner" } as const;
    await expect(operators.setRole(ann, change, ann)).rejects.toEqual(refused("role_may_not"));
    expect(await operators.list()).toEqual(before);
  });

  it("lets whoever runs the command line do it", async () => {
    const { operator } = await operators.invite("viewer", "cli:me");
    expect(operator.invitedBy).toBe("cli:me");
  });

  it("is asked again when it is written: whoever was removed meanwhile changes nothing", async () => {
    const [ann, bob] = [await entered("owner", "Ann"), await entered("owner", "Bob")];
    const each = await Promise.allSettled([operators.remove(ann, bob), operators.remove(bob, ann)]);
    expect(each.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    const left = (await operators.list()).filter(({ removedAt }) => removedAt === null);
    expect(left.map(({ id }) => id)).toContain(OWNER);
    expect(left).toHaveLength(2);
  });

  it("does one of two changes of what both saw, and says so to the other", async () => {
    const ann = await entered("viewer", "Ann");
    const both = await Promise.allSettled(
      (["moderator", "operator"] as const).map((to) => operators.setRole(ann, { from: "viewer", to }, OWNER)),
    );
    const failed = both.filter((one) => one.status === "rejected");
    expect(failed.map(({ reason }) => reason)).toEqual([refused("changed_meanwhile")]);
    const done = both.flatMap((one) => (one.status === "fulfilled" ? [one.value.role] : []));
    expect(done).toEqual([(await operators.find(ann))?.role]);
  });
});

it("lets nobody in who was removed, tells of it at once, and keeps their name for the audit", async () => {
  const ann = await entered("operator", "Ann");
  const { token } = await operators.link(ann, ann);
  let heard = 0;
  const stop = operators.onChange(() => (heard += 1));
  await operators.remove(ann, OWNER);
  expect(heard).toBe(1);
  stop();
  await operators.invite("viewer", OWNER);
  expect(heard).toBe(1);
  expect(await operators.find(ann)).toBeUndefined();
  await expect(operators.enter(token, undefined)).rejects.toEqual(refused("link_over"));
  await expect(operators.remove(ann, OWNER)).rejects.toEqual(refused("operator_unknown"));
  const named = (await operators.list()).find(({ id }) => id === ann);
  expect(named).toMatchObject({ name: "Ann", removedAt: expect.any(Number) });
});

it("writes down who did what to whom", async () => {
  const ann = await entered("owner", "Ann");
  const bob = await entered("viewer", "Bob");
  await operators.setRole(bob, { from: "viewer", to: "moderator" }, ann);
  await operators.link(bob, bob);
  await operators.remove(bob, ann);
  expect(await trail()).toEqual([
    `${OWNER} operator_invite ${ann} owner`,
    `${ann} operator_enter`,
    `${OWNER} operator_invite ${bob} viewer`,
    `${bob} operator_enter`,
    `${ann} operator_role ${bob} viewer → moderator`,
    `${bob} operator_link ${bob}`,
    `${ann} operator_remove ${bob}`,
  ]);
});

it("leaves the trail of those who have what is kept about them erased", async () => {
  const ann = await entered("owner", "Ann");
  const audit = await Audit.open(database, "digest");
  await audit.write({ act: "block", surface: "web", user: ann, rule: "telegram:7" });
  await audit.write({ act: "allow", surface: "web", user: ann, operation: "video" });
  await audit.forget(ann);
  const left = await audit.read({ user: ann, limit: 9 });
  expect(left.map(({ act }) => act)).toEqual(["block", "operator_enter"]);
});

it("notes to the minute when somebody was here", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const ann = await entered("viewer", "Ann");
  const first = (await operators.find(ann))?.seenAt ?? 0;
  const look = async () => {
    const entry = await operators.find(ann);
    if (entry) await operators.seen(entry);
    return (await operators.find(ann))?.seenAt;
  };
  vi.setSystemTime(first + 59_000);
  expect(await look()).toBe(first);
  vi.setSystemTime(first + 60_000);
  expect(await look()).toBe(first + 60_000);
});
