import { z } from "zod";
import { JOB_STATUSES } from "../../../src/seam/access/job-record.ts";
import { actions, line, params, sentence, time, tokens } from "./parts.ts";

const problem = { code: z.string(), params, field: z.string().optional() } as const;

/** A job as it stands in the list. */
const job = z.object({
  id: z.string(),
  operation: z.string(),
  values: z.record(z.string(), z.json()),
  status: z.enum(JOB_STATUSES),
  phase: z.string(),
  progress: z.number().nullable(),
  cost: tokens.nullable(),
  problem: z.object(problem).nullable(),
  createdAt: time,
  acceptedAt: time.nullable(),
  endedAt: time.nullable(),
  ahead: z.number().nullable(),
  expectedAt: time.nullable(),
});

const choice = z.object({
  value: z.string(),
  title: z.string(),
  description: z.string().optional(),
  category: z.string().optional(),
  marks: z.array(z.enum(["new", "featured"])),
  mature: z.boolean().optional(),
  pictures: z.number().optional(),
  variants: z.number(),
});

/** What is said of things that are made, and of one's own affairs. */
export const MAKING = [
  line("quote", "what it will cost; comes before it begins", {
    operation: z.string(),
    tokens: tokens.nullable(),
    basis: z.enum(["exact", "learned", "unknown"]),
    balance: tokens.nullable(),
    sandbox: z.boolean(),
  }),
  line("progress", "a job moved", {
    job: z.string(),
    operation: z.string(),
    phase: z.string(),
    ahead: z.number().optional(),
    percent: z.number().optional(),
    expectedAt: time.optional(),
    cost: tokens.optional(),
    actions,
  }),
  line("result", "a job is finished, and its files are saved; their paths are absolute", {
    job: z.string(),
    operation: z.string(),
    files: z.array(z.string()),
    cost: tokens.nullable(),
    balance: tokens.nullable(),
    tookMs: z.number(),
    actions,
  }),
  line("jobs", "your jobs, newest first; a line for each hundred", { jobs: z.array(job) }),
  line("choices", "what a field can be chosen from", { choices: z.array(choice) }),
  line("notice", "an answer: which sentence, and the facts beside it", {
    ...sentence,
    facts: z.array(z.object({ name: z.string(), ...sentence })),
    actions,
  }),
  line("menu", "a list of jobs that something can be done with", {
    ...sentence,
    items: z.array(
      z.object({
        job: z.string().optional(),
        title: z.object(sentence),
        detail: z.object(sentence).optional(),
        actions,
      }),
    ),
    actions,
  }),
  line("file", "a file for you: where it was saved, else what is in it", {
    ...sentence,
    name: z.string(),
    path: z.string().nullable(),
    content: z.string().nullable(),
    actions,
  }),
  line("form", "what is set, and the call that sets it so", {
    name: z.string(),
    values: z.record(z.string(), z.json()),
    command: z.string(),
  }),
  line("problem", "what went wrong, what was charged (null: nobody knows) and how the call ends", {
    ...problem,
    job: z.string().optional(),
    charged: tokens.nullable(),
    exitCode: z.number(),
    actions,
  }),
  line("resumed", "how many jobs of earlier calls were taken over", { count: z.number() }),
  line(
    "interrupted",
    "the call ended before these jobs did; whether the service may have one; `again`: the same call goes on with it",
    { jobs: z.array(z.string()), sent: z.boolean(), again: z.literal(true).optional() },
  ),
] as const;
