import { z } from "zod";
import type { WhatsAppConfig } from "../../seam/config.ts";
import { baseAddress } from "./kinds.ts";
import { chatEntries } from "./set-up.ts";

/** Tokens of Meta's begin so, and are long. */
const TOKEN = /(?<![\w-])EAA[0-9A-Za-z]{60,}(?![\w-])/;

/** The settings of WhatsApp; the descriptions are those of docs/settings.md. */
export const whatsAppSettings = {
  WHATSAPP_TOKEN: z
    .string()
    .regex(/^[\w|.-]{20,}$/, { error: "the access token of a system user" })
    .optional()
    .describe(
      "Switches WhatsApp on: the access token of a system user, from Meta ([how](whatsapp.md)). The next three belong to it, and `REELAY_PUBLIC_URL`.",
    )
    .register(chatEntries, {
      step: "whatsapp",
      kind: "secret",
      wrong: "setup.wrong.whatsapp",
      token: { isIn: (text) => TOKEN.test(text), said: "setup.wrong.is_whatsapp" },
    }),
  WHATSAPP_PHONE_NUMBER_ID: z
    .string()
    .regex(/^\d{5,20}$/, { error: "the id of the phone number, a number" })
    .optional()
    .describe("The id of the phone number that people write to: not the number itself.")
    .register(chatEntries, { step: "whatsapp", kind: "text", wrong: "setup.wrong.number_id" }),
  WHATSAPP_APP_SECRET: z
    .string()
    .regex(/^[0-9a-f]{32}$/i, { error: "32 hex digits: the app secret from Meta" })
    .optional()
    .describe("The app secret: what Meta signs its calls with.")
    .register(chatEntries, { step: "whatsapp", kind: "secret", wrong: "setup.wrong.app_secret" }),
  WHATSAPP_VERIFY_TOKEN: z
    .string()
    .min(16, { error: "at least 16 characters" })
    .optional()
    .describe(
      "Words of your own, 16 characters at least, that you enter at Meta beside the address of the webhook.",
    )
    .register(chatEntries, { step: "whatsapp", kind: "secret", wrong: "setup.wrong.verify_token" }),
  WHATSAPP_TEMPLATE: z
    .string()
    .regex(/^[a-z0-9_]+(:[a-z]{2,3}(_[A-Z]{2})?)?$/, {
      error: "a template's name, with its language: film_ready:en_US",
    })
    .optional()
    .describe(
      "The approved template, with its language (`film_ready:en_US`), that says that something is done to those who wrote more than 24 hours ago. Unset: that waits for their next word.",
    ),
  WHATSAPP_API_ROOT: baseAddress
    .optional()
    .describe("Another server with the Cloud API, without the version, such as a proxy."),
};

type Given = { readonly [Name in keyof typeof whatsAppSettings]?: z.output<(typeof whatsAppSettings)[Name]> };

/** How WhatsApp is reached; undefined where it is off. */
export function whatsAppOf(given: Given): WhatsAppConfig | undefined {
  const {
    WHATSAPP_TOKEN: token,
    WHATSAPP_PHONE_NUMBER_ID: phoneNumberId,
    WHATSAPP_APP_SECRET: appSecret,
    WHATSAPP_VERIFY_TOKEN: verifyToken,
  } = given;
  if (!token || !phoneNumberId || !appSecret || !verifyToken) return undefined;
  const [name, language = "en"] = given.WHATSAPP_TEMPLATE?.split(":") ?? [];
  const template = name === undefined ? undefined : { name, language };
  return { token, phoneNumberId, appSecret, verifyToken, template, apiRoot: given.WHATSAPP_API_ROOT };
}

const NEEDED = {
  REELAY_PUBLIC_URL: "the address that Meta can call, because WHATSAPP_TOKEN is set",
  WHATSAPP_PHONE_NUMBER_ID: "the id of the phone number, which belongs to WHATSAPP_TOKEN",
  WHATSAPP_APP_SECRET: "the app secret, which belongs to WHATSAPP_TOKEN",
  WHATSAPP_VERIFY_TOKEN: "words of your own, which belong to WHATSAPP_TOKEN",
} as const;

/** What has to be set beside its token. */
export const whatsAppNeeds = (Object.keys(NEEDED) as (keyof typeof NEEDED)[]).map((setting) => ({
  setting,
  lacks: (given: Given) => given.WHATSAPP_TOKEN !== undefined,
  wanted: NEEDED[setting],
  neededBy: "WHATSAPP_TOKEN" as const,
}));
