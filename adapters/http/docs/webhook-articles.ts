import { html } from "hono/html";
import type { OpenApi, WebhookOperation } from "../openapi/model.ts";
import { outputTable, parametersTable } from "./fields.ts";
import { type Markup, pretty, sample } from "./text.ts";

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
export function webhookArticles({ webhooks }: OpenApi): Markup {
  const messages = Object.entries(webhooks);
  const [first] = messages;
  return html`<article id="verify">
      <div class="words">
        <h3><a href="#verify">Verify a message</a></h3>
        <p>
          These headers come with every message. The secret is the one that was shown with the webhook; a
          job's own address has your callback secret.
        </p>
        ${first ? parametersTable(first[1].post.parameters) : ""}
      </div>
      <div class="samples">${sample("In Node: npm install standardwebhooks", VERIFY)}</div>
    </article>
    ${messages.map(([type, { post }]) => messageArticle(type, post))}`;
}

function messageArticle(type: string, { summary, requestBody }: WebhookOperation): Markup {
  const { schema = {}, example } = requestBody.content["application/json"] ?? {};
  return html`<article id="event-${type}">
    <div class="words">
      <h3><a href="#event-${type}">${summary}</a></h3>
      <p class="call"><code>${type}</code></p>
      ${outputTable(schema)}
    </div>
    <div class="samples">${sample("Message", pretty(example))}</div>
  </article>`;
}
