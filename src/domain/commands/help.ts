import { z } from "zod";
import { command } from "./command.ts";

/** What Reelay does and how to begin, on the page: chats say it with their own commands. */
export const help = command({
  name: "help",
  label: "command.help",
  description: "command.help.description",
  kind: "command",
  traits: { topic: "help", public: true },
  schema: z.strictObject({}),
  run: ({ reply }) => reply({ kind: "notice", text: { key: "help.page" } }),
});
