import { madeInGroup, member, harness } from "./harness.ts";

// A process that has a result made and reported until it is withheld; see crash-preload.ts for where it is killed.
const { url, key, data } = JSON.parse(process.argv[2] ?? "{}") as Record<"url" | "key" | "data", string>;
const core = await harness({ url, keys: { ultra: key } }, { data });
const job = await madeInGroup(core);
for (const who of ["bob", "cleo"]) await core.surface.intake.act(member(who), `report:${job}`);
