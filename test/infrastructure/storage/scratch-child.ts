/** Has a folder of its own until it is killed. */
import { openScratch } from "../../../src/infrastructure/storage/scratch.ts";

const [, , root = ""] = process.argv;
const scratch = await openScratch(root);
process.send?.(scratch.folder);
process.once("message", () => void scratch.close());
