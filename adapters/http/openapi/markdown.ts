import type { Json } from "../../../src/common/json.ts";
import type { Content, OpenApi, OpenApiOperation, Parameter, Response } from "./model.ts";

/** The reference as Markdown, for models and whoever reads without a browser: the same document, in the same order. */
export function markdownOf({ info, tags, paths, webhooks }: OpenApi): string {
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const chapters = tags.map(({ name, description }) => {
    const own = calls.filter(({ operation }) => operation.tags.includes(name));
    return [
      `## ${name}`,
      description,
      ...own.map(({ path, method, operation }) => callOf(method, path, operation)),
    ];
  });
  const messages = Object.entries(webhooks).flatMap(([type, { post }]) => [
    `## Message \`${type}\``,
    post.description || post.summary,
    contentOf(post.requestBody?.content),
  ]);
  return `${[`# ${info.title} ${info.version}`, info.description, ...chapters.flat(), ...messages]
    .filter(Boolean)
    .join("\n\n")}\n`;
}

function callOf(method: string, path: string, operation: OpenApiOperation): string {
  const { summary, description, parameters, requestBody, responses, security, deprecated } = operation;
  return [
    `### ${summary}`,
    `\`${method.toUpperCase()} /v1${path}\`${security.length === 0 ? ", without a token" : ""}`,
    deprecated ? "Deprecated." : "",
    description,
    parameters.map(parameterOf).join("\n"),
    requestBody ? `Body: ${requestBody.description ?? ""}` : "",
    contentOf(requestBody?.content),
    Object.entries(responses).map(answerOf).join("\n"),
    firstExample(responses),
  ]
    .filter(Boolean)
    .join("\n\n");
}

const parameterOf = ({ name, in: place, description, required }: Parameter) =>
  `- \`${name}\` (${place}${required ? ", required" : ""}): ${description}`;

const answerOf = ([status, { description }]: readonly [string, Response]) => `- ${status}: ${description}`;

/** What a call is answered with that succeeds, by an example. */
function firstExample(responses: Readonly<Record<string, Response>>): string {
  const [, good] = Object.entries(responses).find(([status]) => status.startsWith("2")) ?? [];
  return contentOf(good?.content);
}

/** The first representation of a body, by its first example. */
function contentOf(content: Content = {}): string {
  const [type, media] = Object.entries(content)[0] ?? [];
  if (type === undefined || media === undefined) return "";
  const [first] = Object.values(media.examples ?? {});
  const example: Json | undefined = media.example ?? (first && "value" in first ? first.value : undefined);
  const shown = example === undefined ? "" : `\n\n\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``;
  return `\`${type}\`${shown}`;
}
