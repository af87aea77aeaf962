import { readConfig } from "../../src/app/config.ts";
import { move } from "../../src/app/moving/database.ts";

// Moves everything as the command line does, and kills itself when it has heard so often how far it is.

const [data = "", address = "", direction = "", killAt = ""] = process.argv.slice(2);
const there = direction === "to" ? {} : { REELAY_STORE: address };
let heard = 0;
const done = await move(
  readConfig({ REELAY_DATA: data, ...there }),
  direction === "to" ? address : undefined,
  () => {
    heard += 1;
    if (heard === Number(killAt)) process.kill(process.pid, "SIGKILL");
  },
);
if ("refused" in done) throw new Error(`Refused: ${JSON.stringify(done)}`);
