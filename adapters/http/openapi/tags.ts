import type { RouteGroup } from "../route/route.ts";
import type { ProblemBody } from "../resources/problem.ts";
import type { Example, Tag } from "./model.ts";

/** How a message is verified, in Node. */
const VERIFY = `import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";

const webhook = new Webhook(process.env.REELAY_WEBHOOK_SECRET);

createServer(async (request, response) => {
  try {
    const { type, data } = webhook.verify(await text(request), request.headers);
    console.log(type, data.id);
    response.writeHead(204).end();
  } catch {
    response.writeHead(401).end();
  }
}).listen(3000);`;

/** What each heading of the documentation is about. */
const GROUPS: Readonly<Record<RouteGroup, string>> = {
  Jobs: "Something to be made: asked for, followed, fetched, cancelled or deleted.",
  "What can be made": "Operations with their fields, and the catalogues that fields choose from.",
  "Your users": "What is kept about the people behind your requests, and what they stated.",
  Usage: "What your jobs came to.",
  Webhooks: `Addresses of yours that are told what happens to jobs, and the messages that they were sent.

The secret is the one that was shown with the webhook; a job's own address has your callback secret. This verifies
messages in Node, with \`npm install standardwebhooks\`:

\`\`\`js
${VERIFY}
\`\`\``,
  About: "Who you are here, and this documentation.",
};

/** The headings, each with what it is about; after those of routes, what requests may be refused with. */
export function tagsOf(groups: ReadonlySet<RouteGroup>, problems: Readonly<Record<string, Example>>): Tag[] {
  const headings = [...groups].map((name) => ({ name, description: GROUPS[name] }));
  return [...headings, { name: "Problems", description: described(problems) }];
}

function described(problems: Readonly<Record<string, Example>>): string {
  const all = Object.values(problems).map(({ value }) => value as unknown as ProblemBody);
  return all
    .toSorted((one, other) => one.status - other.status)
    .map(({ code, title, status, detail, retryable }) => {
      const later = retryable ? " May succeed later." : "";
      return `## ${code}\n\n**${status} ${title}.**${later} ${detail.replaceAll(/\{(\w+)\}/g, "`$1`")}`;
    })
    .join("\n\n");
}
