import { readConfig } from "../../src/app/config.ts";
import { moveFiles } from "../../src/app/moving/files.ts";

// Copies every file to another folder as the command line does, and kills itself when so many are there.

const [data = "", folder = "", killAt = ""] = process.argv.slice(2);
await moveFiles(readConfig({ REELAY_DATA: data }), { data, files: { folder } }, ({ files }) => {
  if (files === Number(killAt)) process.kill(process.pid, "SIGKILL");
});
