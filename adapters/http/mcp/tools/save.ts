import { createWriteStream } from "node:fs";
import { isAbsolute } from "node:path";
import { pipeline } from "node:stream/promises";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import type { GatewayParts } from "../../jobs/gateway-parts.ts";
import { WrongFields } from "../../access/problem.ts";
import { mediaAt } from "../../resources/job.ts";
import { type Tool, tool } from "../session/tool.ts";

const schema = z.strictObject({
  job: z.string().min(1).max(64).meta({ description: "The job's id." }),
  path: z.string().refine(isAbsolute, { error: "an absolute path" }).meta({
    description: "Where the file goes; nothing must be there yet.",
  }),
  index: z.int().min(0).max(99).default(0).meta({ description: "Which of several files." }),
});

/** Saves results on this machine: only for whoever sits at it. */
export function saveTool({ intake, forPartners }: Pick<GatewayParts, "intake" | "forPartners">): Tool {
  return tool(
    {
      name: "save",
      title: "Save a result",
      description: "Saves a file of a completed job on this machine. Replaces nothing.",
      scope: "jobs:read",
      changes: true,
      schema,
      facts: z.object({ path: z.string(), type: z.string(), bytes: z.number() }),
    },
    async ({ job, path, index }, { asker }) => {
      const { file, type, bytes, name } = mediaAt(await intake().jobs.find(asker.user, job), index);
      const stream = await forPartners.held.open(file);
      await pipeline(stream, createWriteStream(path, { flags: "wx" })).catch(
        (cause: NodeJS.ErrnoException) => {
          const wanted = `a path where a new file can be made (${cause.code})`;
          throw new WrongFields([
            { field: "path", code: "field_invalid", params: { field: "path", wanted } },
          ]);
        },
      );
      const uri = pathToFileURL(path).href;
      return {
        content: [
          { type: "text", text: `Saved as ${path}.` },
          { type: "resource_link", uri, name, mimeType: type, size: bytes },
        ],
        structuredContent: { path, type, bytes },
      };
    },
  );
}
