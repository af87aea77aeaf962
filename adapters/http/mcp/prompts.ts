import type { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";

const photo = z.string().describe("Its address, or a file that the agent can read.");

const HOW =
  "Use Reelay's tools: `find` the operation that fits, `describe` it, and say what `quote` tells that it costs. `make` it, `wait` until it has ended, and give me the links. Where something is asked of me, ask me, and do not answer in my place.";

/** What people often want, as a client offers it to be picked. */
export function offerPrompts(server: McpServer): void {
  server.registerPrompt(
    "animate-photo",
    {
      title: "Make a video of a photo",
      description: "A short video that begins with the photo.",
      argsSchema: z.object({ photo, motion: z.string().optional().describe("What is to happen in it.") }),
    },
    ({ photo: of, motion }) =>
      said(`Make a short video of this photo: ${of}.`, motion === undefined ? [] : [`In it: ${motion}.`]),
  );
  server.registerPrompt(
    "draw",
    {
      title: "Make a picture",
      description: "A picture from words.",
      argsSchema: z.object({ picture: z.string().describe("What is to be seen.") }),
    },
    ({ picture }) => said(`Make a picture: ${picture}.`),
  );
  server.registerPrompt(
    "edit-photo",
    {
      title: "Change a photo",
      description: "The same photo, with something changed.",
      argsSchema: z.object({ photo, change: z.string().describe("What is to be different.") }),
    },
    ({ photo: of, change }) => said(`Change this photo: ${of}.`, [`What is to be different: ${change}.`]),
  );
  server.registerPrompt(
    "results",
    { title: "Show what was made", description: "The newest jobs, with links to their files." },
    () => ({
      messages: [
        message("Use Reelay's `list`, then `wait` with each job that is new to me, and give me the links."),
      ],
    }),
  );
}

const said = (wish: string, more: readonly string[] = []) => ({
  messages: [message([wish, ...more, HOW].join(" "))],
});

const message = (text: string) => ({ role: "user" as const, content: { type: "text" as const, text } });
