// What else is sent and comes back. Made from the OpenAPI document by `npm run docs:client`.

export type AcceptedJob = {
  readonly object: "job";
  readonly id: string;
  readonly livemode: boolean;
  readonly operation: string;
  readonly status: "queued" | "running" | "completed" | "failed" | "cancelled";
  readonly phase: "queued" | "unreachable" | "submitting" | "checking" | "running" | "sending" | "awaiting_file" | "awaiting_check" | "awaiting_key" | "awaiting_record" | "awaiting_operator" | "completed" | "failed" | "cancelled";
  readonly phase_detail: string | null;
  readonly progress: number | null;
  readonly queue_position: number | null;
  readonly expected_at: (string | null);
  readonly platform: string;
  readonly in_app_username: string;
  readonly mature: boolean;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly input: Readonly<Record<string, unknown>>;
  readonly cost: number | null;
  readonly error: (JobError | null);
  readonly media: readonly (Media)[];
  readonly urls: JobUrls;
  readonly created_at: string;
  readonly accepted_at: (string | null);
  readonly ended_at: (string | null);
  readonly callback_secret?: string;
};
export type JobError = { readonly code: string; readonly detail: string; };
export type Media = {
  readonly kind: "video" | "image";
  readonly type: string;
  readonly bytes: number;
  readonly name: string;
  readonly url: string;
  readonly link: string;
  readonly expires_at: string;
};
export type JobUrls = {
  readonly get: string;
  readonly cancel: string;
  readonly events: string;
  readonly files: string;
};
export type Problem = {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: string;
  readonly request_id: string;
  readonly retryable: boolean;
  readonly errors?: readonly (FieldProblem)[];
  readonly statement?: "terms" | "consent" | "faces" | "adult";
  readonly text?: string;
  readonly terms_url?: string;
  readonly ends_at?: string;
  readonly agreed?: readonly ("terms" | "consent" | "faces" | "adult")[];
};
export type FieldProblem = {
  readonly field: string;
  readonly code: string;
  readonly detail: string;
  readonly min?: number;
  readonly max?: number;
  readonly choices?: readonly (string | number)[];
  readonly example?: unknown;
};
export type JobList = {
  readonly object: "list";
  readonly data: readonly (Job)[];
  readonly next_cursor: string | null;
};
export type Job = {
  readonly object: "job";
  readonly id: string;
  readonly livemode: boolean;
  readonly operation: string;
  readonly status: "queued" | "running" | "completed" | "failed" | "cancelled";
  readonly phase: "queued" | "unreachable" | "submitting" | "checking" | "running" | "sending" | "awaiting_file" | "awaiting_check" | "awaiting_key" | "awaiting_record" | "awaiting_operator" | "completed" | "failed" | "cancelled";
  readonly phase_detail: string | null;
  readonly progress: number | null;
  readonly queue_position: number | null;
  readonly expected_at: (string | null);
  readonly platform: string;
  readonly in_app_username: string;
  readonly mature: boolean;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly input: Readonly<Record<string, unknown>>;
  readonly cost: number | null;
  readonly error: (JobError | null);
  readonly media: readonly (Media)[];
  readonly urls: JobUrls;
  readonly created_at: string;
  readonly accepted_at: (string | null);
  readonly ended_at: (string | null);
};
export type Quote = {
  readonly tokens: number | null;
  readonly basis: "exact" | "learned" | "unknown";
  readonly balance: number | null;
  readonly range?: { readonly least: number; readonly most: number; };
  readonly asks: readonly ({
    readonly name: "terms" | "consent" | "faces" | "adult";
    readonly version: string;
    readonly url?: string;
  })[];
};
export type OperationList = { readonly object: "list"; readonly data: readonly (Operation)[]; };
export type Operation = {
  readonly object: "operation";
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly result: "video" | "image";
  readonly subscription: ("pro" | null);
  readonly input_schema: Readonly<Record<string, unknown>>;
  readonly example: Readonly<Record<string, unknown>>;
};
export type CatalogueList = {
  readonly object: "list";
  readonly data: readonly ({
    readonly id: string;
    readonly used_by: readonly ({ readonly operation: string; readonly field: string; })[];
  })[];
};
export type ChoiceList = {
  readonly object: "list";
  readonly data: readonly (Choice)[];
  readonly next_cursor: string | null;
};
export type Choice = {
  readonly value: string;
  readonly title: string;
  readonly description: string | null;
  readonly category: string | null;
  readonly marks: readonly ("new" | "featured")[];
  readonly pictures: number;
  readonly variants: number;
};
export type UserBlock = {
  readonly object: "user_block";
  readonly in_app_username: string;
  readonly blocked_by: readonly ("host" | "partner")[];
};
export type StatementList = { readonly object: "list"; readonly data: readonly (Statement)[]; };
export type Statement = {
  readonly object: "statement";
  readonly statement: "terms" | "consent" | "faces" | "adult";
  readonly text: string;
  readonly version: string;
  readonly terms_url: (string | null);
  readonly every_time: boolean;
  readonly stated: ({ readonly version: string; readonly at: string; } | null);
};
export type UserExport = {
  readonly object: "user_export";
  readonly version: 1;
  readonly in_app_username: string;
  readonly exported_at: string;
  readonly statements: readonly (Statement)[];
  readonly usage: readonly ({
    readonly platform?: string;
    readonly in_app_username?: string | null;
    readonly operation?: string;
    readonly day?: string;
    readonly jobs: number;
    readonly successes: number;
    readonly tokens: number;
    readonly seconds: number | null;
  })[];
  readonly jobs: readonly (Job)[];
  readonly decisions: readonly (Decision)[];
};
export type Decision = {
  readonly at: string;
  readonly act: "allow" | "refuse" | "ask" | "agree" | "withdraw" | "report" | "withhold" | "restore" | "settle" | "block" | "unblock" | "log" | "export" | "forget" | "partner_add" | "partner_change" | "caps" | "partner_key" | "partner_remove" | "token_add" | "token_revoke" | "token_expired" | "webhook_add" | "webhook_change" | "webhook_remove" | "webhook_secret" | "webhook_resend" | "operator_invite" | "operator_link" | "operator_enter" | "operator_role" | "operator_remove" | "operator_sign_out" | "pool_key" | "uncover" | "note" | "cancel" | "redeliver" | "offer" | "setting";
  readonly rule: string | null;
  readonly operation: string | null;
  readonly job: string | null;
  readonly digest: string | null;
  readonly files: readonly (string)[];
  readonly content: unknown;
};
export type Usage = {
  readonly object: "usage";
  readonly data: readonly ({
    readonly platform?: string;
    readonly in_app_username?: string | null;
    readonly operation?: string;
    readonly day?: string;
    readonly jobs: number;
    readonly successes: number;
    readonly tokens: number;
    readonly seconds: number | null;
  })[];
};
export type BudgetList = { readonly object: "list"; readonly data: readonly (Budget)[]; };
export type Budget = {
  readonly object: "budget";
  readonly whose: "partner" | "user";
  readonly in_app_username: string | null;
  readonly period: "day" | "month";
  readonly budget: number;
  readonly spent: number;
  readonly left: number;
  readonly ends_at: string;
};
export type NewWebhook = {
  readonly url: string;
  readonly events?: readonly ("job.progress" | "job.completed" | "job.failed" | "job.cancelled" | "budget.warning")[];
};
export type NewWebhookAnswer = {
  readonly object: "webhook";
  readonly id: string;
  readonly url: string;
  readonly events: readonly ("job.progress" | "job.completed" | "job.failed" | "job.cancelled" | "budget.warning")[];
  readonly enabled: boolean;
  readonly disabled_because: ("gone" | "owner" | null);
  readonly created_at: string;
  readonly secret: string;
};
export type WebhookList = { readonly object: "list"; readonly data: readonly (Webhook)[]; };
export type Webhook = {
  readonly object: "webhook";
  readonly id: string;
  readonly url: string;
  readonly events: readonly ("job.progress" | "job.completed" | "job.failed" | "job.cancelled" | "budget.warning")[];
  readonly enabled: boolean;
  readonly disabled_because: ("gone" | "owner" | null);
  readonly created_at: string;
};
export type WebhookChange = {
  readonly url?: string;
  readonly events?: readonly ("job.progress" | "job.completed" | "job.failed" | "job.cancelled" | "budget.warning")[];
  readonly enabled?: boolean;
};
export type WebhookSecret = { readonly secret: string; };
export type Delivery = {
  readonly object: "delivery";
  readonly id: string;
  readonly webhook: string | null;
  readonly url: string;
  readonly type: "job.progress" | "job.completed" | "job.failed" | "job.cancelled" | "budget.warning" | "ping";
  readonly job: string | null;
  readonly state: "due" | "delivered" | "failed" | "dropped";
  readonly attempts: readonly ({
    readonly at: string;
    readonly status: number | null;
    readonly error: string | null;
    readonly took_ms: number;
  })[];
  readonly next_at: (string | null);
  readonly created_at: string;
};
export type DeliveryList = {
  readonly object: "list";
  readonly data: readonly (Delivery)[];
  readonly next_cursor: string | null;
};
export type Partner = {
  readonly object: "partner";
  readonly livemode: boolean;
  readonly id: string;
  readonly name: string;
  readonly platform: string;
  readonly scopes: readonly ("jobs:read" | "jobs:write" | "usage:read" | "webhooks")[];
  readonly token: Token;
  readonly caps: Caps;
  readonly user_caps: Caps;
  readonly standing: (Standing | null);
  readonly requests_per_minute: number;
  readonly gates: "vouched" | "asked";
  readonly sandbox: boolean;
  readonly mature: boolean;
  readonly origins: readonly (string)[];
};
export type Token = {
  readonly id: string;
  readonly created_at: string;
  readonly expires_at: (string | null);
};
export type Caps = {
  readonly day: number | null;
  readonly month: number | null;
  readonly at_once: number | null;
  readonly day_tokens: number | null;
  readonly month_tokens: number | null;
};
export type Standing = { readonly today: Spent; readonly this_month: Spent; readonly left: Caps; };
export type Spent = { readonly jobs: number; readonly tokens: number; };
