import { z } from "zod";
import { currentTime } from "../../../src/common/time.ts";
import { type Caps, GATES, SCOPES, type TokenInfo } from "../../../src/seam/access/partners.ts";
import type { GatewayParts } from "../jobs/gateway-parts.ts";
import { isoOf } from "../resources/job.ts";
import { type OwnCall, type Route, route } from "../route/route.ts";

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

const spentSchema = z
  .object({
    jobs: z.int().meta({ description: "Asked for, whatever became of them.", example: 12 }),
    tokens: z.number().meta({ description: "Charged so far.", example: 29.7 }),
  })
  .meta({ id: "Spent" });

const standingSchema = z
  .object({
    today: spentSchema,
    this_month: spentSchema,
    left: capsSchema.meta({
      description: "What is left of `caps` now. What is being made counts; null: no bound.",
    }),
  })
  .meta({ id: "Standing" });

const partnerSchema = z
  .object({
    object: z.literal("partner"),
    livemode: z.boolean().meta({
      description:
        "False for a test token: what it makes is made by the built-in sandbox, and costs nothing.",
      example: true,
    }),
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
    standing: standingSchema.nullable().meta({
      description:
        "What you have spent (UTC), and what is left; null for a token that is not good for `usage:read`.",
    }),
    requests_per_minute: z.int().meta({ example: 600 }),
    gates: z.enum(GATES).meta({
      description:
        "`vouched`: you answer for your people. `asked`: each `in_app_username` states what everybody states, and you pass it on as `agreed`.",
    }),
    sandbox: z.boolean().meta({
      description:
        "Whether nothing is really made or charged: the media service is the built-in sandbox. Where Reelay listens on its own machine alone, webhooks may then lead to that machine, too, such as to `http://127.0.0.1:3000/hooks`.",
      example: false,
    }),
    mature: z.boolean().meta({ description: "Whether you may use templates for adults.", example: false }),
    origins: z.array(z.string()).meta({
      description: "Whose pages may call with your tokens, each exactly. Empty: no page may.",
      example: ["https://app.example.com"],
    }),
  })
  .meta({ id: "Partner" });

const NOTHING_SPENT = { jobs: 0, tokens: 0 } as const;

/** About the caller. */
export function aboutRoutes({ host, forPartners, intake }: GatewayParts): readonly Route[] {
  /** What a partner has spent, and what is left. */
  async function standingOf({ caller, user }: OwnCall): Promise<z.output<typeof standingSchema> | null> {
    if (!caller.token.scopes.includes("usage:read")) return null;
    const { jobs } = intake();
    const day = isoOf(currentTime()).slice(0, 10);
    const since = async (first: string) => {
      const [sum = NOTHING_SPENT] = await jobs.usage(user, { by: [], since: first });
      return { jobs: sum.jobs, tokens: sum.tokens };
    };
    return {
      today: await since(day),
      this_month: await since(`${day.slice(0, 7)}-01`),
      left: capsBody(await jobs.left(user)),
    };
  }

  return [
    route(
      {
        name: "readPartner",
        method: "get",
        path: "/partner",
        group: "About",
        summary: "Read who you are, what your token is good for, and what is left",
        answers: { 200: { description: "You.", schema: partnerSchema } },
      },
      async (call) => {
        const { c, caller } = call;
        const { id, name, platform, caps, userCaps, requestsPerMinute, asksPeople, mature, origins } =
          caller.partner;
        return c.json({
          object: "partner",
          livemode: forPartners.mode === "live",
          id,
          name,
          platform,
          scopes: [...caller.token.scopes],
          token: tokenBody(caller.token),
          caps: capsBody(caps),
          user_caps: capsBody(userCaps),
          standing: await standingOf(call),
          requests_per_minute: requestsPerMinute,
          gates: asksPeople ? "asked" : "vouched",
          sandbox: host.sandbox,
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
