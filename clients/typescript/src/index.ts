export * from "./errors.ts";
export type { JobEvent } from "./events.ts";
export { fromPath, fromStream } from "./files.ts";
export type { Asked, Connection } from "./http.ts";
export { type JobQuery, Reelay } from "./reelay.ts";
export type * from "./made/answers.ts";
export type * from "./made/requests.ts";
export { Forged, readWebhook, type Verification, type WebhookMessage } from "./webhooks.ts";
