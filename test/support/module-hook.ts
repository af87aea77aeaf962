/** Loaded before a program: says on standard error, as the last thing, which modules it loaded. */
import { writeSync } from "node:fs";
import { registerHooks } from "node:module";

const urls: string[] = [];
registerHooks({
  load(url, context, nextLoad) {
    urls.push(url);
    return nextLoad(url, context);
  },
});
process.on("exit", () => writeSync(2, `\n${JSON.stringify(urls)}`));
