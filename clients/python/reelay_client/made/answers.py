"""What else is sent and comes back. Made from the OpenAPI document by `npm run docs:client`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict


class AcceptedJob(TypedDict):
    object: Literal["job"]
    id: str
    livemode: bool
    operation: str
    status: Literal["queued", "running", "completed", "failed", "cancelled"]
    phase: Literal["queued", "unreachable", "submitting", "checking", "running", "sending", "awaiting_file", "awaiting_check", "awaiting_key", "awaiting_record", "awaiting_operator", "completed", "failed", "cancelled"]
    phase_detail: str | None
    progress: float | None
    queue_position: int | None
    expected_at: str | None
    platform: str
    in_app_username: str
    mature: bool
    metadata: Mapping[str, Any]
    input: Mapping[str, Any]
    cost: float | None
    error: JobError | None
    media: Sequence[Media]
    urls: JobUrls
    created_at: str
    accepted_at: str | None
    ended_at: str | None
    callback_secret: NotRequired[str]


class JobError(TypedDict):
    code: str
    detail: str


class Media(TypedDict):
    kind: Literal["video", "image"]
    type: str
    bytes: int
    name: str
    url: str
    link: str
    expires_at: str


class JobUrls(TypedDict):
    get: str
    cancel: str
    events: str
    files: str


class Problem(TypedDict):
    type: str
    title: str
    status: int
    detail: str
    code: str
    request_id: str
    retryable: bool
    errors: NotRequired[Sequence[FieldProblem]]
    statement: NotRequired[Literal["terms", "consent", "faces", "adult"]]
    text: NotRequired[str]
    terms_url: NotRequired[str]
    ends_at: NotRequired[str]
    agreed: NotRequired[Sequence[Literal["terms", "consent", "faces", "adult"]]]


class FieldProblem(TypedDict):
    field: str
    code: str
    detail: str
    min: NotRequired[float]
    max: NotRequired[float]
    choices: NotRequired[Sequence[str | float]]
    example: NotRequired[Any]


class JobList(TypedDict):
    object: Literal["list"]
    data: Sequence[Job]
    next_cursor: str | None


class Job(TypedDict):
    object: Literal["job"]
    id: str
    livemode: bool
    operation: str
    status: Literal["queued", "running", "completed", "failed", "cancelled"]
    phase: Literal["queued", "unreachable", "submitting", "checking", "running", "sending", "awaiting_file", "awaiting_check", "awaiting_key", "awaiting_record", "awaiting_operator", "completed", "failed", "cancelled"]
    phase_detail: str | None
    progress: float | None
    queue_position: int | None
    expected_at: str | None
    platform: str
    in_app_username: str
    mature: bool
    metadata: Mapping[str, Any]
    input: Mapping[str, Any]
    cost: float | None
    error: JobError | None
    media: Sequence[Media]
    urls: JobUrls
    created_at: str
    accepted_at: str | None
    ended_at: str | None


class QuoteRange(TypedDict):
    least: float
    most: float


class QuoteAsks(TypedDict):
    name: Literal["terms", "consent", "faces", "adult"]
    version: str
    url: NotRequired[str]


class Quote(TypedDict):
    tokens: float | None
    basis: Literal["exact", "learned", "unknown"]
    balance: float | None
    range: NotRequired[QuoteRange]
    asks: Sequence[QuoteAsks]


class OperationList(TypedDict):
    object: Literal["list"]
    data: Sequence[Operation]


class Operation(TypedDict):
    object: Literal["operation"]
    id: str
    title: str
    description: str
    result: Literal["video", "image"]
    subscription: Literal["pro"] | None
    input_schema: Mapping[str, Any]
    example: Mapping[str, Any]


class CatalogueListDataUsedBy(TypedDict):
    operation: str
    field: str


class CatalogueListData(TypedDict):
    id: str
    used_by: Sequence[CatalogueListDataUsedBy]


class CatalogueList(TypedDict):
    object: Literal["list"]
    data: Sequence[CatalogueListData]


class ChoiceList(TypedDict):
    object: Literal["list"]
    data: Sequence[Choice]
    next_cursor: str | None


class Choice(TypedDict):
    value: str
    title: str
    description: str | None
    category: str | None
    marks: Sequence[Literal["new", "featured"]]
    pictures: int
    variants: int


class UserBlock(TypedDict):
    object: Literal["user_block"]
    in_app_username: str
    blocked_by: Sequence[Literal["host", "partner"]]


class StatementList(TypedDict):
    object: Literal["list"]
    data: Sequence[Statement]


class StatementStatedObject(TypedDict):
    version: str
    at: str


class Statement(TypedDict):
    object: Literal["statement"]
    statement: Literal["terms", "consent", "faces", "adult"]
    text: str
    version: str
    terms_url: str | None
    every_time: bool
    stated: StatementStatedObject | None


class UserExportUsage(TypedDict):
    platform: NotRequired[str]
    in_app_username: NotRequired[str | None]
    operation: NotRequired[str]
    day: NotRequired[str]
    jobs: int
    successes: int
    tokens: float
    seconds: float | None


class UserExport(TypedDict):
    object: Literal["user_export"]
    version: Literal[1]
    in_app_username: str
    exported_at: str
    statements: Sequence[Statement]
    usage: Sequence[UserExportUsage]
    jobs: Sequence[Job]
    decisions: Sequence[Decision]


class Decision(TypedDict):
    at: str
    act: Literal["allow", "refuse", "ask", "agree", "withdraw", "report", "withhold", "restore", "settle", "block", "unblock", "log", "export", "forget", "partner_add", "partner_change", "caps", "partner_key", "partner_remove", "token_add", "token_revoke", "token_expired", "webhook_add", "webhook_change", "webhook_remove", "webhook_secret", "webhook_resend", "operator_invite", "operator_link", "operator_enter", "operator_role", "operator_remove", "operator_sign_out", "pool_key", "uncover", "note", "cancel", "redeliver", "offer", "setting"]
    rule: str | None
    operation: str | None
    job: str | None
    digest: str | None
    files: Sequence[str]
    content: Any


class UsageData(TypedDict):
    platform: NotRequired[str]
    in_app_username: NotRequired[str | None]
    operation: NotRequired[str]
    day: NotRequired[str]
    jobs: int
    successes: int
    tokens: float
    seconds: float | None


class Usage(TypedDict):
    object: Literal["usage"]
    data: Sequence[UsageData]


class BudgetList(TypedDict):
    object: Literal["list"]
    data: Sequence[Budget]


class Budget(TypedDict):
    object: Literal["budget"]
    whose: Literal["partner", "user"]
    in_app_username: str | None
    period: Literal["day", "month"]
    budget: float
    spent: float
    left: float
    ends_at: str


class NewWebhook(TypedDict):
    url: str
    events: NotRequired[Sequence[Literal["job.progress", "job.completed", "job.failed", "job.cancelled", "budget.warning"]]]


class NewWebhookAnswer(TypedDict):
    object: Literal["webhook"]
    id: str
    url: str
    events: Sequence[Literal["job.progress", "job.completed", "job.failed", "job.cancelled", "budget.warning"]]
    enabled: bool
    disabled_because: Literal["gone", "owner"] | None
    created_at: str
    secret: str


class WebhookList(TypedDict):
    object: Literal["list"]
    data: Sequence[Webhook]


class Webhook(TypedDict):
    object: Literal["webhook"]
    id: str
    url: str
    events: Sequence[Literal["job.progress", "job.completed", "job.failed", "job.cancelled", "budget.warning"]]
    enabled: bool
    disabled_because: Literal["gone", "owner"] | None
    created_at: str


class WebhookChange(TypedDict):
    url: NotRequired[str]
    events: NotRequired[Sequence[Literal["job.progress", "job.completed", "job.failed", "job.cancelled", "budget.warning"]]]
    enabled: NotRequired[bool]


class WebhookSecret(TypedDict):
    secret: str


class DeliveryAttempts(TypedDict):
    at: str
    status: int | None
    error: str | None
    took_ms: float


class Delivery(TypedDict):
    object: Literal["delivery"]
    id: str
    webhook: str | None
    url: str
    type: Literal["job.progress", "job.completed", "job.failed", "job.cancelled", "budget.warning", "ping"]
    job: str | None
    state: Literal["due", "delivered", "failed", "dropped"]
    attempts: Sequence[DeliveryAttempts]
    next_at: str | None
    created_at: str


class DeliveryList(TypedDict):
    object: Literal["list"]
    data: Sequence[Delivery]
    next_cursor: str | None


class Partner(TypedDict):
    object: Literal["partner"]
    livemode: bool
    id: str
    name: str
    platform: str
    scopes: Sequence[Literal["jobs:read", "jobs:write", "usage:read", "webhooks"]]
    token: Token
    caps: Caps
    user_caps: Caps
    standing: Standing | None
    requests_per_minute: int
    gates: Literal["vouched", "asked"]
    sandbox: bool
    mature: bool
    origins: Sequence[str]


class Token(TypedDict):
    id: str
    created_at: str
    expires_at: str | None


class Caps(TypedDict):
    day: int | None
    month: int | None
    at_once: int | None
    day_tokens: float | None
    month_tokens: float | None


class Standing(TypedDict):
    today: Spent
    this_month: Spent
    left: Caps


class Spent(TypedDict):
    jobs: int
    tokens: float
