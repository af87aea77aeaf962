import { MessageFlags } from "discord.js";
import { z } from "zod";
import { DISCORD_LIMITS } from "../limits.ts";
import { componentsV2, rows } from "./components.ts";
import { adopt, complain, list, text } from "./field.ts";

const upTo = (most: number) => z.string().max(most, `Must be ${most} or fewer in length.`).nullish();
const linked = z.looseObject({ url: upTo(2048) }).nullish();

const embed = z.looseObject({
  title: upTo(256),
  description: upTo(4096),
  url: upTo(2048),
  color: z.int().min(0).max(0xffffff).nullish(),
  footer: z.looseObject({ text: text(2048) }).nullish(),
  author: z.looseObject({ name: text(256) }).nullish(),
  fields: list(z.looseObject({ name: text(256), value: text(1024) }), 25).nullish(),
  image: linked,
  thumbnail: linked,
});

/** resources/message, "Embed Limits": what counts towards the sum. */
const embedLength = ({ title, description, footer, author, fields }: z.infer<typeof embed>) =>
  [
    title,
    description,
    footer?.text,
    author?.name,
    ...(fields ?? []).flatMap(({ name, value }) => [name, value]),
  ].join("").length;

/** resources/message: what every message, answer and edit must keep to. */
export const message = z
  .looseObject({
    content: upTo(DISCORD_LIMITS.contentLength),
    embeds: list(embed, DISCORD_LIMITS.embeds).nullish(),
    components: z.array(z.looseObject({})).nullish(),
    attachments: list(z.looseObject({ id: z.coerce.string() }), DISCORD_LIMITS.files).nullish(),
    flags: z.int().nullish(),
    poll: z.unknown().optional(),
    sticker_ids: z.array(z.unknown()).nullish(),
    nonce: z.union([z.int(), z.string().max(25)]).nullish(),
  })
  .superRefine(({ content, embeds, poll, sticker_ids: stickers, components, flags }, context) => {
    const length = (embeds ?? []).reduce((sum, one) => sum + embedLength(one), 0);
    if (length > DISCORD_LIMITS.embedLength) {
      const message = "Embed size exceeds maximum size of 6000";
      complain(context, ["embeds"], "MAX_EMBED_SIZE_EXCEEDED", message);
    }
    const isV2 = ((flags ?? 0) & MessageFlags.IsComponentsV2) !== 0;
    if (isV2) {
      const used = { content, embeds: embeds?.length, poll, sticker_ids: stickers?.length };
      for (const [name, value] of Object.entries(used)) {
        if (!value) continue;
        const message = `The '${name}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2`;
        complain(context, [name], "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2", message);
      }
    }
    adopt(context, (isV2 ? componentsV2 : rows).safeParse(components ?? []), "components");
  });
