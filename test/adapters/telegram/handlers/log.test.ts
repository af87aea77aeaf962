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
    await expect.poll(told).toEqual([{ told: 1 }]);
    expect(notices(ann)).toEqual([]);
    await chooses(on, mo, "To me, in this chat");
    // What waited comes now.
    await mo.sees("One person reported this result");
    expect(notices(ann)).toEqual([]);
    await chooses(on, mo, "Nowhere");
    await mo.sees("Reports go to: nowhere");
  });

  it("come to a topic of a staff chat that somebody chose there who manages both, where managers of the group decide", async () => {
    await using on = await films();
    const { ann, mo, ben, group } = on;
    const staff = on.telegram.group({ title: "Staff", forum: true });
    staff.appoints(ann);
    const topic = staff.opensTopic("Reports");
    const [annThere, moThere, benThere] = [ann.in(staff, topic), mo.in(staff, topic), ben.in(staff, topic)];
    await chooses(on, ann, "In another group or topic");
    await ann.sees("“/reports here”");
    annThere.says("/reports here");
    await annThere.sees("From now on I say here");
    await ann.sees(/Reports go to: Staff, https:\/\/t\.me\/c\/\d+\/\d+/);
    await reported(on);
    const told = await moThere.sees("One person reported this result");
    expect(told.text).toContain("Made by: Ben");
    await benThere.presses("Take it down", { on: told });
    await benThere.sees("Only people who manage this");
    await moThere.presses("Take it down", { on: told });
    await annThere.sees(
      (one) => one.id === told.id && /^This result was taken down[^]*Decided by: Mo/.test(one.text),
    );
    expect(notices(annThere)).toHaveLength(1);
    // Nobody manages both any more.
    group.dismisses(ann);
    await chooses(on, mo, "Nowhere");
    await annThere.sees(
      (one) => one.id === told.id && one.text.startsWith("Reports are no longer told here"),
    );
  });

  it("go to no group that those who chose it do not manage, nor once nobody manages both", async () => {
    await using on = await films();
    const { ann, mo, ben, group } = on;
    const others = on.telegram.group({ title: "Others" });
    others.appoints(ben);
    const [annThere, benThere] = [ann.in(others), ben.in(others)];
    // Ben manages the group that they are to come to, and not theirs.
    benThere.says("/reports here");
    await chooses(on, ann, "In another group or topic");
    await ann.sees("“/reports here”");
    annThere.says("/reports here");
    await annThere.sees("Only people who manage this");
    mo.says(`/start g_${group.chat.id}`);
    expect((await mo.sees("Rules of “Films”", { fresh: true })).text).toContain("Reports go to: nowhere");
    others.appoints(ann);
    annThere.says("/reports here");
    await annThere.sees("From now on I say here");
    group.dismisses(ann);
    await reported(on);
    const rules = async () => {
      mo.says(`/start g_${group.chat.id}`);
      return (await mo.sees("Rules of “Films”", { fresh: true })).text;
    };
    await expect.poll(rules).toContain("Others, where I could not post any more");
    expect(notices(annThere)).toEqual([]);
  });
});
