/** Where pictures and words are examined before they are sent. */
export interface ModerationSettings {
  /** `REELAY_MODERATION_URL`: the whole address; the operator's own, so it may be private and plain http. */
  readonly url: string;
  /** `REELAY_MODERATION_KEY`, a secret. */
  readonly key?: string | undefined;
  /** `REELAY_MODERATION_MODEL`. */
  readonly model: string;
  /** `REELAY_MODERATION_DOWN`: whether nothing passes while it cannot be asked, or everything. */
  readonly whenDown: "closed" | "open";
  /** `REELAY_MODERATION_TIMEOUT_MS`: for everything that belongs to one request of a person. */
  readonly timeoutMs: number;
}
