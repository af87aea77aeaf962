/** A process that decodes files, one at a time. It ends with the one that started it. */
import { FULL } from "../../../common/disk.ts";
import { ReelayError } from "../../../common/errors.ts";
import type { DecoderReply, Request } from "./protocol.ts";
import { TASKS } from "./tasks.ts";
import { watch } from "./watchdog.ts";

/** What the system says of a full disk, as libvips hands it on. */
const NO_ROOM = /No space left on device|Disk quota exceeded/;

const watched = watch();

// Ctrl-C reaches a terminal's whole group: what is being decoded is still waited for.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
process.on("disconnect", () => process.exit());

process.on("message", (request: Request) => void answer(request));
tell({ ready: true });

async function answer(request: Request): Promise<void> {
  watched.begin();
  tell({ begun: true });
  const reply = await carryOut(request);
  watched.end();
  tell(reply);
}

async function carryOut({ task, input }: Request): Promise<DecoderReply> {
  try {
    // Names and inputs come in pairs, as `Request` says.
    const perform = TASKS[task] as (input: Request["input"]) => ReturnType<(typeof TASKS)[typeof task]>;
    return { output: await perform(input) };
  } catch (error) {
    if (error instanceof ReelayError) return { problem: { code: error.code, params: error.params } };
    const failure = String(error);
    // The picture is none the worse for it: what was to be made of it has no place.
    if (NO_ROOM.test(failure)) return { problem: { code: "storage_down", params: { reason: FULL } } };
    return { failure };
  }
}

function tell(reply: DecoderReply): void {
  process.send?.(reply, undefined, {}, () => {});
}
