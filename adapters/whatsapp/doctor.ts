import { createHmac } from "node:crypto";
import type { WhatsAppConfig } from "../../src/seam/config.ts";
import type { Finding } from "../../src/seam/surface/setup.ts";
import { lookAtCalls, lookAtPlatform } from "../kit/pipeline/connection.ts";
import { CloudApi, PLATFORM, WEBHOOK_PATH } from "./api/client.ts";

/** Whether Meta knows the token, the number and the app secret, and calls where people reach Reelay. */
export function lookAtWhatsApp(config: WhatsAppConfig, publicUrl: string): Promise<Finding> {
  return lookAtPlatform(PLATFORM, async (signal) => {
    const proof = createHmac("sha256", config.appSecret).update(config.token).digest("hex");
    const { number, name, called } = await new CloudApi(config).number(signal, proof);
    const meant = `${publicUrl}${WEBHOOK_PATH}`;
    const template = config.template?.name ?? "none: what is done after 24 hours waits";
    const { key, ...look } = lookAtCalls(PLATFORM, `${name}, ${number} (template: ${template})`, {
      meant,
      actual: called,
      advice: `In Meta's developer portal, under WhatsApp, Configuration, enter ${meant} and the words of WHATSAPP_VERIFY_TOKEN, press Verify and save, and subscribe to messages.`,
    });
    const params = { name, number, address: meant, url: called ?? "" };
    return { ...look, said: { key, params }, link: `https://wa.me/${number.replaceAll(/\D/g, "")}` };
  });
}
