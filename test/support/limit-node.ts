import { RATE_LIMITS } from "../../src/common/contract.ts";
import { Limiter } from "../../src/infrastructure/queue/limiter.ts";
import { WindowLog } from "../../src/infrastructure/queue/window-log.ts";
import { connectPostgres } from "../../src/infrastructure/storage/postgres/connect.ts";
import type { NodeTask } from "./limit-nodes.ts";

// A node that does nothing but send as much as it may, until it is killed: `limit-nodes.ts` starts several.
const { store, url, egresses, windowMs, limit, callers } = JSON.parse(process.argv[2] ?? "") as NodeTask;

const database = await connectPostgres(store);
const limiter = new Limiter({
  log: new WindowLog(database, windowMs),
  limits: { ...RATE_LIMITS, video: limit },
  egresses,
});

async function call(key: string, user: string): Promise<never> {
  const send = (egress: string) =>
    fetch(url, { headers: { key, egress, user } }).then((answer) => answer.text());
  for (;;) await limiter.run({ group: "video", key, user }, send);
}

await Promise.all(callers.map(({ key, user }) => call(key, user)));
