import { translator } from "../../../src/common/i18n.ts";
import { takePing } from "../../kit/results/ping.ts";
import type { MessageBody } from "../api/api.ts";
import type { DiscordReceipt } from "../context/address.ts";
import type { Services } from "../context/context.ts";
import { firstOf } from "../context/reach.ts";
import { call } from "./call.ts";
import { linkTo } from "./posted.ts";
import { plain, said } from "./render.ts";

/** Calls whoever wanted it, once, beside the result that took the place of its progress. */
export async function pingIfWanted(services: Services, at: DiscordReceipt, job: string): Promise<void> {
  const { memory, replies, host } = services;
  if (at.user === undefined || !(await takePing(memory, job))) return;
  const done = plain(translator(at.locale)("ping.done"));
  const body: MessageBody = {
    ...said(`<@${at.user}> ${done} ${linkTo(at)}`),
    allowed_mentions: { users: [at.user] },
  };
  await firstOf<unknown>([
    () => call(services, at, body, `${job.slice(-20)}-n`),
    () => replies.of(at).publish(body, false),
  ]).catch((err: unknown) => host.log.debug({ err, job }, "Somebody was not called to their result"));
}
