import { z } from "zod";
import { EVENT_TYPES } from "../../../src/seam/events.ts";
import type { Address, Receipt, UserId } from "../../../src/seam/values.ts";
import type { Json } from "../../../src/common/json.ts";
import type { Problem } from "../../../src/seam/views.ts";

const userId = z.custom<UserId>((value) => typeof value === "string" && value.startsWith("http:"));

/** What its answer is kept under for those who repeat the request; see `Idempotency.forget`. */
const answer = z.string().optional();

const request = z.object({
  /** Whose it is. */
  user: userId,
  /** Who holds the files that came with it, where any did; see `HeldFiles`. */
  files: z.string().optional(),
  answer,
  /** Where the partner reached Reelay: addresses in answers begin with it. */
  base: z.string(),
  metadata: z.record(z.string(), z.custom<Json>()),
  /** Who is to be told beside the partner's endpoints. */
  callback: z.object({ url: z.string(), events: z.array(z.enum(EVENT_TYPES)) }).optional(),
});

/** What a partner's request said beside what is to be made: the address of its job. */
export type PartnerRequest = z.output<typeof request>;

const keptResult = z.object({
  /** What it is found by among held files. */
  file: z.string(),
  kind: z.enum(["video", "image"]),
  type: z.string(),
  bytes: z.number(),
  name: z.string(),
  /** It is erased then, in milliseconds since 1970. */
  until: z.number(),
});

/** A file of a result, kept here for a while. */
export type KeptResult = z.output<typeof keptResult>;

const notes = z.object({
  user: userId,
  answer,
  job: z.string(),
  media: z.array(keptResult),
  /** Why there is no result, where the job itself was completed. */
  problem: z.custom<Problem>().nullable(),
});

/** What is noted of a job when its partner is told of it: the receipt. */
export type Notes = z.output<typeof notes>;

/** What is noted of a job of which nothing is to be told yet. */
export const notesFor = ({ user, answer }: Pick<Notes, "user" | "answer">, job: string): Notes => ({
  user,
  answer,
  job,
  media: [],
  problem: null,
});

/** A value as it is written and read back. */
export const asJson = (value: object): { readonly [key: string]: Json } =>
  JSON.parse(JSON.stringify(value)) as { readonly [key: string]: Json };

/** The address of a job, as it is kept in the ledger. */
export const addressOf = (said: PartnerRequest): Address => asJson(said);

/** What is noted, as it is kept in the ledger. */
export const receiptOf = (noted: Notes): Receipt => asJson(noted);

/** What a job's address says. */
export const requestOf = (address: Address): PartnerRequest => request.parse(address);

/** What a receipt says; undefined before anything was noted. */
export const notesOf = (receipt: Receipt | null): Notes | undefined => notes.safeParse(receipt).data;
