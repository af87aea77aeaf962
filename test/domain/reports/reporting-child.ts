import { MemorySurface } from "../../support/surface.ts";
import { isNotice, member, harness, told } from "./harness.ts";

// A process on whose platform somebody reports a result. Says how often it took the result down.
const { url, key, data, job, who } = JSON.parse(process.argv[2] ?? "{}") as Record<string, string>;
const [surface, page] = [new MemorySurface("telegram"), new MemorySurface("web")];
for (const one of [surface, page]) one.messages.push({ address: {}, views: [], files: [] });
const sandbox = { url: url ?? "", keys: { ultra: key ?? "" } };
await using core = await harness(sandbox, { data: data ?? "", surface }, page);
await core.surface.intake.act(member(who ?? ""), `report:${job}`);
await told(core, job ?? "");
const views = surface.messages[0]?.views ?? [];
process.stdout.write(String(views.filter((view) => isNotice(view, "report.withheld")).length));
