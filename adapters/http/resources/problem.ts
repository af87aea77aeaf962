import { z } from "zod";
import { statementName } from "../route/requests.ts";

/** One field that is wrong. */
const fieldProblem = z
  .object({
    field: z
      .string()
      .meta({ description: "Where it stands, such as `input.duration`.", example: "input.duration" }),
    code: z.string().meta({ example: "field_out_of_range" }),
    detail: z.string().meta({ description: "A sentence in the language of `Accept-Language`." }),
    min: z.number().exactOptional().meta({ description: "The least that it takes." }),
    max: z
      .number()
      .exactOptional()
      .meta({ description: "The most that it takes: a number, characters, files or bytes." }),
    choices: z.array(z.union([z.string(), z.number()])).exactOptional(),
    example: z.unknown().exactOptional().meta({ description: "What it would take." }),
  })
  .meta({ id: "FieldProblem" });

/** A refusal (RFC 9457). */
export const problemSchema = z
  .object({
    type: z
      .string()
      .meta({ description: "An address that explains the code.", example: "/v1/docs#field_out_of_range" }),
    title: z.string().meta({ example: "Field out of range" }),
    status: z.int().meta({ example: 422 }),
    detail: z
      .string()
      .meta({ description: "What happened and what can be done, in the language of `Accept-Language`." }),
    code: z.string().meta({ description: "Stable, for programs.", example: "field_out_of_range" }),
    request_id: z.string().meta({ description: "Also in the header `X-Request-Id`; it is in the log." }),
    retryable: z.boolean().meta({ description: "Whether the same request may succeed later." }),
    errors: z.array(fieldProblem).exactOptional().meta({ description: "Every field that is wrong." }),
    statement: statementName
      .exactOptional()
      .meta({ description: "What your user must state first.", example: "consent" }),
    text: z
      .string()
      .exactOptional()
      .meta({ description: "Its wording, to be shown to them, in the language of `Accept-Language`." }),
    terms_url: z.url().exactOptional().meta({ description: "The host's own terms, that belong to it." }),
    ends_at: z.iso.datetime().exactOptional().meta({
      description: "When a cap or a budget begins anew that is reached: before that, nothing is accepted.",
    }),
    agreed: z
      .array(statementName)
      .exactOptional()
      .meta({
        description: "What to add to `agreed` of the same request, once they said so.",
        example: ["consent"],
      }),
  })
  .meta({ id: "Problem" });

/** A refusal, as it is sent. */
export type ProblemBody = z.output<typeof problemSchema>;

/** One field of a refusal. */
export type FieldProblemBody = z.output<typeof fieldProblem>;
