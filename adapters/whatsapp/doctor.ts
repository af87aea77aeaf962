import type { WhatsAppConfig } from "../../src/seam/config.ts";
import type { Check } from "../../src/seam/surface/runtime.ts";
import type { Finding } from "../../src/seam/surface/setup.ts";
import { lookAtPlatform } from "../kit/pipeline/connection.ts";
import { CloudApi, PLATFORM } from "./api/client.ts";

/** Whether Meta knows the token and the number. */
export const examineWhatsApp = async (config: WhatsAppConfig): Promise<Check> =>
  (await lookAtWhatsApp(config)).check;

function lookAtWhatsApp(config: WhatsAppConfig): Promise<Finding> {
  return lookAtPlatform(PLATFORM, async (signal) => {
    const { number, name } = await new CloudApi(config).number(signal);
    const template = config.template
      ? `template ${config.template.name}`
      : "no template: what is done after 24 hours waits";
    return {
      ok: true,
      found: `${name}, ${number}; ${template}`,
      said: { key: "setup.whatsapp.found", params: { name, number } },
    };
  });
}
