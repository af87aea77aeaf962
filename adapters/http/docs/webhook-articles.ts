import { html } from "hono/html";
import type { OpenApi } from "../openapi/model.ts";
import { outputTable, parametersTable } from "./fields.ts";
import { type Article, pretty, sample } from "./text.ts";

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

/** What is sent to partners, and how they know that it is from here. */
export function webhookArticles({ webhooks }: OpenApi): Article[] {
  const messages = Object.entries(webhooks);
  const verify = {
    anchor: "verify",
    title: "Verify a message",
    words: html`<p>
        These headers come with every message. The secret is the one that was shown with the webhook; a job's
        own address has your callback secret.
      </p>
      ${parametersTable(messages[0]?.[1].post.parameters ?? [])}`,
    samples: sample("In Node: npm install standardwebhooks", VERIFY),
  };
  return [
    verify,
    ...messages.map(
      ([
        type,
        {
          post: { summary, requestBody },
        },
      ]) => {
        const { schema = {}, example } = requestBody.content["application/json"] ?? {};
        return {
          anchor: `event-${type}`,
          title: summary,
          listed: type,
          call: html`<code>${type}</code>`,
          words: outputTable(schema),
          samples: sample("Message", pretty(example)),
        };
      },
    ),
  ];
}
