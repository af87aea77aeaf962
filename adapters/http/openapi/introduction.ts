import { LOCALES } from "../../../src/common/i18n.ts";
import { LINK_MS } from "../../../src/infrastructure/media/files/share.ts";
import { BODY_BOUNDS } from "../body/bounds.ts";
import { API_VERSION, VERSION_HEADER } from "../route/version.ts";

/** A chapter of what is to be known before anything else, in Markdown. */
export interface Chapter {
  readonly title: string;
  /** Its paragraphs. */
  readonly text: readonly string[];
}

const MIB = 2 ** 20;
const DAY_MS = 24 * 3_600_000;

const NAMES = new Intl.DisplayNames("en", { type: "language" });
const LANGUAGES = LOCALES.map((locale) => NAMES.of(locale)).join(", ");

/** Something made that needs no photo, looked at, and fetched. */
const FIRST_STEPS = `\`\`\`sh
export REELAY_URL=… REELAY_TOKEN=…

curl "$REELAY_URL/v1/jobs" \\
  -H "Authorization: Bearer $REELAY_TOKEN" \\
  -H "Idempotency-Key: order-4711" \\
  -H "Content-Type: application/json" \\
  -d '{
    "operation": "image",
    "input": { "prompt": "a lighthouse at dawn" }
  }'

# With the id of the answer:
curl "$REELAY_URL/v1/jobs/$ID" \\
  -H "Authorization: Bearer $REELAY_TOKEN"
curl "$REELAY_URL/v1/jobs/$ID/media" \\
  -H "Authorization: Bearer $REELAY_TOKEN" -o result
\`\`\``;

/** What all routes have in common. */
export const INTRODUCTION: readonly Chapter[] = [
  { title: "First steps", text: [FIRST_STEPS] },
  {
    title: "Tokens",
    text: [
      "Every request carries a token: `Authorization: Bearer <token>`. Whoever runs Reelay makes it with `npx reelay partner add`; it is shown once. A token is good for some scopes only: `jobs:read`, `jobs:write`, `usage:read` and `webhooks`. `GET /v1/partner` says for which.",
      "Keep it on your server. Whoever has it spends your tokens at the service. Pages may call from origins that whoever runs Reelay named for you; `GET /v1/partner` lists them. Give such a page a token of its own, with few scopes and an end.",
    ],
  },
  {
    title: "Test tokens",
    text: [
      "A token that begins with `rlytest_` is for developing and for your CI: `npx reelay partner token <name> --test` makes one. Everything here does the same with it, and agents' tools do, but nothing of it reaches the media service, and nothing is charged: the built-in sandbox makes the files. Every answer and every webhook says `Reelay-Mode: test`, jobs and `GET /v1/partner` say `livemode: false`.",
      "What test tokens make and what all others make know nothing of each other: jobs, files, links, webhooks with their secrets, idempotency keys, usage, and what counts for your caps, which are the same. The id of one is unknown (404) to the other. A test token never spends anything, and no other token ever leads to that sandbox.",
    ],
  },
  {
    title: "Jobs",
    text: [
      "`POST /v1/jobs` accepts a job and answers at once. The job is then `queued`, `running`, and in the end `completed`, `failed` or `cancelled`. Hear of it by a webhook, by `GET /v1/jobs/{id}/events`, or read it now and then.",
      "What can be made, and with which fields, is told by `GET /v1/operations`. What it will cost is told by `POST /v1/quotes`.",
    ],
  },
  {
    title: "Repeating a request",
    text: [
      "`POST /v1/jobs` wants an `Idempotency-Key`: a name of yours for this very request. If you do not hear an answer, send the same again with the same key: it makes one job, is charged once, and you get the first answer with `Idempotency-Replayed: true`. A key counts for 24 hours; of a job that was deleted since, the repetition says that it is gone (404). The same key with another body is refused (422), and while the first request is still worked on, so is its repetition (409).",
    ],
  },
  {
    title: "Files",
    text: [
      `A file in \`input\` is a public \`https\` address, a data URI, or base64; in a form (\`multipart/form-data\`) it is a file part. One file may have ${BODY_BOUNDS.fileBytes / MIB} MiB, a request ${BODY_BOUNDS.bytes / MIB} MiB and ${BODY_BOUNDS.files} files. Files are needed until their job has ended, and are erased then.`,
      `Results are kept for ${LINK_MS / DAY_MS} days, or fewer where the host keeps nothing that long; \`expires_at\` says until when. Each comes with two addresses: \`url\` takes your token, \`link\` takes none, so that you can hand it on. Both take \`Range\`.`,
    ],
  },
  {
    title: "Your users",
    text: [
      "Send your own name for the person behind a request as `in_app_username`. Under it you read (`GET /v1/users/{username}/export`) and erase (`DELETE /v1/users/{username}`) what is kept about them.",
      "As `gates` of `GET /v1/partner` says, you vouch for your people, or each of them states what everybody states: that they accept the terms, that the people in their photos agreed, the same at each face swap, and for templates for adults that they are 18 or older. What is missing is told by the problem `statement_missing`: show `text` to the person; if they say yes, send the request again with what `agreed` names added to its own `agreed`. It is remembered until it is taken back, but for face swaps.",
    ],
  },
  {
    title: "Errors",
    text: [
      `A refusal is \`application/problem+json\` (RFC 9457). \`code\` is stable and for programs; \`detail\` is for people, in the language of \`Accept-Language\` (${LANGUAGES}); \`retryable\` says whether the same request may succeed later; \`errors\` names every field that is wrong, with its bounds and an example. Quote the \`request_id\` when you ask for help: it is in the log.`,
      "Ignore fields of answers that you do not know: there may be more of them some day.",
    ],
  },
  {
    title: "Limits",
    text: [
      "Each partner may send so many requests a minute. `RateLimit` in every answer says what is left, `RateLimit-Policy` what the limit is. A request too many is answered 429 with `Retry-After`. Caps on jobs, for you and for each `in_app_username`, are set by whoever runs Reelay, in jobs and in tokens; `GET /v1/partner` tells them, with what you have spent and what is left; `GET /v1/budgets` the same of your people, in tokens. What a day or a month does not cover is refused with 403 (`partner_period_cap`, `budget_spent`) and `ends_at`: do not wait for that. Where jobs are under way whose price is not known yet, more than they will cost is set aside for them: what does not fit beside that is refused with 429 (`budget_reserved`), and may be sent again once one of them is accepted.",
    ],
  },
  {
    title: "Lists",
    text: [
      "Lists come in pages. Send `next_cursor` of one page as `cursor` to get the next; after the last it is null. `limit` is the size of a page, at most 100.",
    ],
  },
  {
    title: "Versions",
    text: [
      `Each answer says which version of this interface it is of, as a day: \`${VERSION_HEADER}: ${API_VERSION}\`. Send the one that you were written for as the same header, and a Reelay that speaks another one refuses you (\`version_unknown\`) instead of being misunderstood. Within a version there may be more: routes, optional fields, headers, values of \`phase\` and \`code\`, types of events. Nothing is taken away, renamed or means something else.`,
      "A route that is to go in the next version says so in each answer half a year before: `Deprecation` since when (RFC 9745), and `Sunset` from when it may be gone (RFC 8594). It is marked as `deprecated` here, with what to use instead.",
    ],
  },
  {
    title: "Agents",
    text: [
      "Agents that speak the Model Context Protocol use the same tokens at `/mcp`: a tool for each operation, and for reading, waiting and prices.",
    ],
  },
  {
    title: "Webhooks",
    text: [
      "Reelay tells your server what happens, by the Standard Webhooks specification. Create a webhook with `POST /v1/webhooks`, or send an address with a single job as `webhook`: the answer to the first such job has the secret for all of them, `callback_secret`. Try one out with `POST /v1/webhooks/{id}/ping`, see what was sent with `GET /v1/deliveries`, and have it sent again with `POST /v1/deliveries/{id}/resend`. Answer 2xx within 15 seconds and do the work later. Anything else is tried again after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h; redirects are not followed. 410 switches the webhook off.",
      "A message may come more than once: remember its `webhook-id`. Verify its signature before you believe it: it is HMAC-SHA256, in base64, of `webhook-id`, `webhook-timestamp` and the body as it came, with dots between them. The secret's base64 follows `whsec_`. Any library of Standard Webhooks does it for you.",
    ],
  },
];
