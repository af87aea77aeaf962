import { z } from "zod";
import { type Caps, GATES, SCOPES, type TokenInfo } from "../../../src/seam/access/partners.ts";
import type { GatewayParts } from "../jobs/gateway-parts.ts";
import { isoOf } from "../resources/job.ts";
import { type Route, route } from "../route/route.ts";

const capsSchema = z
  .object({
    day: z.int().nullable(),
    month: z.int().nullable(),
    at_once: z.int().nullable(),
    day_tokens: z.number().nullable(),
    month_tokens: z.number().nullable(),
  })
  .meta({
    id: "Caps",
    description:
      "How many jobs may be begun, and for how many tokens; null: no bound. Days and months are those of UTC.",
  });

const partnerSchema = z
  .object({
    object: z.literal("partner"),
    id: z.string().meta({ example: "acme" }),
    name: z.string().meta({ example: "Acme" }),
    platform: z
      .string()
      .meta({ description: "What your jobs count for, where a request says nothing else.", example: "acme" }),
    scopes: z.array(z.enum(SCOPES)).meta({ description: "What this token is good for." }),
    token: z
      .object({
        id: z.string().meta({ description: "To name it by; no secret.", example: "3f9a2c1d" }),
        created_at: z.iso.datetime(),
        expires_at: z.iso.datetime().nullable().meta({
          description: "It opens nothing from then on (`token_expired`); null: it lasts until it is revoked.",
        }),
      })
      .meta({ id: "Token", description: "The token that this was asked with." }),
    caps: capsSchema,
    user_caps: capsSchema.meta({ description: "The same for each `in_app_username`." }),
    requests_per_minute: z.int().meta({ example: 600 }),
    gates: z.enum(GATES).meta({
      description:
        "`vouched`: you answer for your people. `asked`: each `in_app_username` states what everybody states, and you pass it on as `agreed`.",
    }),
    mature: z.boolean().meta({ description: "Whether you may use templates for adults.", example: false }),
    origins: z.array(z.string()).meta({
      description: "Whose pages may call with your tokens, each exactly. Empty: no page may.",
      example: ["https://app.example.com"],
    }),
  })
  .meta({ id: "Partner" });

/** About the caller. */
export function aboutRoutes(_parts: GatewayParts): readonly Route[] {
  return [
    route(
      {
        name: "readPartner",
        method: "get",
        path: "/partner",
        group: "About",
        summary: "Read what your token is good for",
        answers: { 200: { description: "You.", schema: partnerSchema } },
      },
      async ({ c, caller }) => {
        const { id, name, platform, caps, userCaps, requestsPerMinute, asksPeople, mature, origins } =
          caller.partner;
        return c.json({
          object: "partner",
          id,
          name,
          platform,
          scopes: [...caller.token.scopes],
          token: tokenBody(caller.token),
          caps: capsBody(caps),
          user_caps: capsBody(userCaps),
          requests_per_minute: requestsPerMinute,
          gates: asksPeople ? "asked" : "vouched",
          mature: mature ?? false,
          origins: [...(origins ?? [])],
        } satisfies z.output<typeof partnerSchema>);
      },
    ),
  ];
}

function tokenBody({ id, createdAt, expiresAt }: TokenInfo): z.output<typeof partnerSchema>["token"] {
  return { id, created_at: isoOf(createdAt), expires_at: expiresAt === undefined ? null : isoOf(expiresAt) };
}

function capsBody({ day, month, atOnce, dayTokens, monthTokens }: Caps): z.output<typeof capsSchema> {
  return {
    day: day ?? null,
    month: month ?? null,
    at_once: atOnce ?? null,
    day_tokens: dayTokens ?? null,
    month_tokens: monthTokens ?? null,
  };
}
