/**
 * What a model is to know first of what is here, and where it reads more (llmstxt.org).
 * @param base where Reelay is reached, without a slash at its end
 */
export function llmsText(base: string): string {
  return `# Reelay

> Reelay makes videos and pictures from photos and words, over HTTP and for agents. Each call needs an access token that whoever runs it gives.

## Documentation

- [Reference](${base}/v1/docs.md): every call, with examples, as Markdown
- [OpenAPI](${base}/v1/openapi.json): the same, with the schema of every body

## Agents

- [Model Context Protocol](${base}/mcp): tools that find, describe, price and make what can be made; the token as bearer
- [Protected resource](${base}/.well-known/oauth-protected-resource/mcp): the scopes of tokens (RFC 9728)
`;
}
