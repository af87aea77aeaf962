/** What answering an agent takes. Loaded with the first call: whoever has no agents starts sooner. */
export {
  createMcpHandler,
  localhostAllowedOrigins,
  validateOriginHeader,
} from "@modelcontextprotocol/server";
export { mcpServer } from "./server.ts";
