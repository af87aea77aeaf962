import { z } from "zod";
import { translator } from "../../../src/common/i18n.ts";
import type { GatewayParts } from "../jobs/gateway-parts.ts";
import { checked } from "../access/checked.ts";
import { refuseKeys } from "../access/refuse-keys.ts";
import { exportedUser, userExportSchema } from "../jobs/exported-user.ts";
import { inAppUsername, statementName } from "../route/requests.ts";
import { statementListBody, statementListSchema } from "../resources/user.ts";
import { type OwnCall, type Route, type RouteFace, route } from "../route/route.ts";

/** What all of these routes are alike in. */
const OWN = {
  group: "Your users",
  params: { username: "Your name for the person: the `in_app_username` of their jobs." },
} as const satisfies Partial<RouteFace>;

const NAME_PROBLEMS = ["field_required", "field_invalid", "field_too_long", "key_in_words"] as const;

const forgottenSchema = z.object({
  in_app_username: inAppUsername,
  jobs: z.int().meta({ description: "How many of their jobs were erased.", example: 12 }),
});

const blockSchema = z
  .object({
    object: z.literal("user_block"),
    in_app_username: inAppUsername,
    blocked_by: z.array(z.enum(["host", "partner"])).meta({
      description: "Who keeps them out: whoever runs Reelay, you. Empty: nobody.",
      example: ["partner"],
    }),
  })
  .meta({ id: "UserBlock" });

/** What is kept about those behind a partner's app. */
export function userRoutes(parts: GatewayParts): readonly Route[] {
  const users = () => parts.intake().jobs.users;

  /** The name in the path of a call. @throws WrongFields for what is no name, and for a known key */
  const nameOf = async (call: OwnCall): Promise<string> => {
    const username = usernameOf(call);
    await refuseKeys(parts.intake().keys, { "path.username": username });
    return username;
  };

  const statementsOf = async ({ c, user, locale }: OwnCall, username: string) =>
    c.json(statementListBody(await users().statements(user, username), translator(locale)));

  const blockOf = async ({ c, user }: OwnCall, username: string) =>
    c.json({
      object: "user_block",
      in_app_username: username,
      blocked_by: [...(await users().blockedBy(user, username))],
    } satisfies z.output<typeof blockSchema>);

  return [
    route(
      {
        ...OWN,
        name: "readUserBlock",
        method: "get",
        path: "/users/:username/block",
        summary: "Read whether somebody is blocked",
        scope: "jobs:read",
        answers: { 200: { description: "Who keeps them out.", schema: blockSchema } },
        problems: NAME_PROBLEMS,
      },
      async (call) => blockOf(call, await nameOf(call)),
    ),
    route(
      {
        ...OWN,
        name: "blockUser",
        method: "put",
        path: "/users/:username/block",
        summary: "Block somebody",
        description:
          "From now on nothing is made for them (`user_blocked`); what waits in their queue is not sent and costs nothing, what is being made is still delivered. Everybody else goes on. May be repeated.",
        scope: "jobs:write",
        answers: { 200: { description: "Who keeps them out.", schema: blockSchema } },
        problems: NAME_PROBLEMS,
      },
      async (call) => {
        const username = await nameOf(call);
        await users().block(call.user, username);
        return blockOf(call, username);
      },
    ),
    route(
      {
        ...OWN,
        name: "unblockUser",
        method: "delete",
        path: "/users/:username/block",
        summary: "Unblock somebody",
        description: "Takes your own block back; one of whoever runs Reelay stays. May be repeated.",
        scope: "jobs:write",
        answers: { 200: { description: "Who still keeps them out.", schema: blockSchema } },
        problems: NAME_PROBLEMS,
      },
      async (call) => {
        const username = await nameOf(call);
        await users().unblock(call.user, username);
        return blockOf(call, username);
      },
    ),
    route(
      {
        ...OWN,
        name: "readStatements",
        method: "get",
        path: "/users/:username/statements",
        summary: "Read what somebody stated, and what they are asked",
        scope: "jobs:read",
        answers: { 200: { description: "Every statement.", schema: statementListSchema } },
        problems: NAME_PROBLEMS,
      },
      async (call) => statementsOf(call, await nameOf(call)),
    ),
    route(
      {
        ...OWN,
        name: "withdrawStatements",
        method: "delete",
        path: "/users/:username/statements",
        summary: "Take back what somebody stated",
        description: "What they ask for next takes it anew, where your people are asked.",
        scope: "jobs:write",
        query: z.strictObject({
          statement: statementName
            .optional()
            .meta({ description: "This one alone; left out: all.", example: "consent" }),
        }),
        answers: { 200: { description: "Every statement as it is now.", schema: statementListSchema } },
        problems: NAME_PROBLEMS,
      },
      async (call) => {
        const username = await nameOf(call);
        await users().withdraw(call.user, username, call.query.statement);
        return statementsOf(call, username);
      },
    ),
    route(
      {
        ...OWN,
        name: "exportUser",
        method: "get",
        path: "/users/:username/export",
        summary: "Export what is kept about somebody",
        description:
          "Everything that carries their name: what they stated, their jobs, sums, and what was decided about them. Names are not checked: of somebody unknown the lists are empty.",
        scope: "jobs:read",
        links: true,
        answers: { 200: { description: "All of it.", schema: userExportSchema } },
        problems: NAME_PROBLEMS,
      },
      async (call) => exportedUser(parts, call, await nameOf(call)),
    ),
    route(
      {
        ...OWN,
        name: "forgetUser",
        method: "delete",
        path: "/users/:username",
        summary: "Forget somebody",
        description:
          "Erases here what carries their name: their jobs with results, events and the bodies of webhook messages, what they stated, and their name and inputs in the audit. Sums stay without the name. What was made stays at the service: delete jobs one by one to delete it there, too. Refused while something of theirs is going on; may be repeated.",
        scope: "jobs:write",
        answers: { 200: { description: "They are forgotten.", schema: forgottenSchema } },
        problems: [...NAME_PROBLEMS, "jobs_open"],
      },
      async (call) => {
        const username = usernameOf(call);
        const jobs = await users().forget(call.user, username);
        return call.c.json({ in_app_username: username, jobs });
      },
    ),
  ];
}

const path = z.object({ username: inAppUsername });

/** The name in the path of a call. Whoever is kept under a key's may be forgotten all the same. @throws WrongFields for what is no name */
function usernameOf({ c }: OwnCall): string {
  return checked(path, { username: c.req.param("username") }, "path").username;
}
