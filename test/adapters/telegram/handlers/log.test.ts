import { describe, expect, it } from "vitest";
import { picture } from "../../../support/telegram/bare-bot.ts";
import type { Person } from "../../../support/telegram/person.ts";
import { harness } from "../words-harness.ts";

/** A group that Ann and Mo manage, of which Ben and Carla are members. */
async function films() {
  const on = await harness();
  const group = on.telegram.group({ title: "Films", admin: true, forum: true });
  const [ann, mo, ben] = [
    await on.regular({ name: "Ann" }),
    await on.regular({ name: "Mo" }),
    await on.regular({ name: "Ben" }),
  ];
  const carla = on.telegram.person({ name: "Carla" });
  for (const manager of [ann, mo]) group.appoints(manager);
  return { ...on, group, ann, mo, ben, carla };
}

type Films = Awaited<ReturnType<typeof films>>;

/** Opens the group's rules, and chooses who is told. */
async function chooses({ group }: Pick<Films, "group">, manager: Person, label: string): Promise<void> {
  manager.says(`/start g_${group.chat.id}`);
  const rules = await manager.sees("Rules of “Films”", { fresh: true });
  await manager.presses("Reports go to", { on: rules });
  await manager.presses(new RegExp(label));
}

/** Ben makes a film, which Carla reports. */
async function reported({ ben, carla, group }: Films) {
  const there = ben.in(group);
  await there.sendsPhoto(await picture(640, 480), { caption: "@reelay_bot slow zoom" });
  await there.presses(/Generate/);
  const made = await carla.in(group).sees(({ media }) => media?.kind === "video", { fresh: true });
  await carla.in(group).presses("Report", { on: made });
  return made;
}

const notices = (person: Person) => person.chat().filter(({ text }) => text.includes("Made by"));

describe("reports of a group", () => {
  it("come to the manager who wants them, with names and a link, and the notice follows what is decided", async () => {
    await using on = await films();
    const { ann, mo, carla, group } = on;
    await chooses(on, ann, "To me, in this chat");
    await ann.sees("From now on I say here");
    await ann.sees("Reports go to: Ann");
    const made = await reported(on);
    const told = await ann.sees("One person reported this result");
    expect(told.text).toContain("Made by: Ben");
    const id = String(group.chat.id).replace("-100", "");
    expect(told.text).toContain(`Where: Films, https://t.me/c/${id}/${made.id}`);
    expect(told.text).not.toMatch(/slow zoom|Carla|telegram:/);
    mo.says(`/start r_${group.chat.id}`);
    await mo.presses(/Take it down/, { on: await mo.sees("Reported results") });
    const down = await ann.sees(
      (one) => one.id === told.id && /^This result was taken down[^]*Decided by: Mo/.test(one.text),
    );
    await on.restart();
    await ann.presses("Put it back", { on: down });
    await ann.sees((one) => one.id === told.id && one.text.startsWith("This result stays up"));
    await carla.in(group).sees(({ media }) => media?.kind === "video");
    expect(notices(ann)).toHaveLength(1);
  });

  it("come to nobody who manages the group no more; the other managers see that in its rules", async () => {
    await using on = await films();
    const { ann, mo, group } = on;
    await chooses(on, ann, "To me, in this chat");
    await ann.sees("Reports go to: Ann");
    group.dismisses(ann);
    await reported(on);
    const told = () =>
      on.database.kysely
        .selectFrom("report_notices")
        .select("told")
        .where("audience", "like", "telegram:-%")
        .execute();
    await expect.poll(told, { timeout: 60_000 }).toEqual([{ told: 1 }]);
    expect(notices(ann)).toEqual([]);
    await chooses(on, mo, "To me, in this chat");
    // What waited comes now.
    await mo.sees("One person reported this result");
    expect(notices(ann)).toEqual([]);
    await chooses(on, mo, "Nowhere");
    await mo.sees("Reports go to: nowhere");
  });
});
