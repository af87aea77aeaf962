import { temporaryFolder, testPicture } from "../../test/support/sandbox.ts";
import { compiled } from "./compiled.ts";
import { type MeasuredBot, startBot, startReelay } from "./measured-bot.ts";
import type { NaiveOptions } from "./naive-gateway.ts";
import { addPartners } from "./partners.ts";
import type { BenchService } from "./service.ts";

/** Where a gateway listens, and the times that it goes by, in milliseconds. */
interface Running {
  readonly port: number;
  /** In which the service counts. */
  readonly windowMs: number;
  /** How often a job is read. */
  readonly pollMs: number;
}

/** A gateway under test. */
export interface Gateway {
  readonly name: string;
  /** @returns its process, and the token of each partner */
  readonly start: (
    service: BenchService,
    running: Running,
  ) => Promise<{ readonly process: MeasuredBot; readonly tokens: readonly string[] }>;
}

/** Reelay, and the least that a gateway can be. */
export const GATEWAYS: readonly Gateway[] = [
  {
    name: "Reelay",
    async start(service, { port, windowMs, pollMs }) {
      const data = temporaryFolder();
      const tokens = await addPartners(data, service.peopleKeys);
      const process = startReelay(service, {
        REELAY_DATA: data,
        REELAY_PORT: String(port),
        REELAY_RATE_WINDOW_MS: String(windowMs),
        REELAY_POLL_MS: String(pollMs),
        REELAY_PRIVATE_HOSTS: "127.0.0.1",
      });
      return { process, tokens };
    },
  },
  {
    name: "first come, first served",
    async start({ url: baseUrl, peopleKeys }, { port, windowMs }) {
      const options: NaiveOptions = { port, baseUrl, windowMs };
      return { process: startBot(compiled("naive-gateway"), [JSON.stringify(options)]), tokens: peopleKeys };
    },
  },
];

/** What is asked for, again and again, about as the published rates are: 20, 60 and 30 a minute (section 8.1). */
const MIX = ["video", "h3-text", "h3-text", "image", "h3-text"] as const;

/** Says what each partner asks for. */
export async function mixedOrder(): Promise<(partner: number, nth: number) => object> {
  const image = await testPicture();
  return (partner, nth) => {
    const operation = MIX[(partner + nth) % MIX.length];
    const prompt = `order ${nth} of partner ${partner}`;
    return { operation, input: { prompt, ...(operation === "video" && { image }) } };
  };
}
