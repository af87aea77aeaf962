import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { SurfaceHost } from "../../../src/chat/host.ts";

type Host = { readonly host: Pick<SurfaceHost, "config"> };

/** The folder for files that are needed for a moment. */
export const scratchOf = ({ host }: Host) => join(host.config.data, "scratch", "telegram");

/** Removes what a killed process left there. A bot is run by one process at a time: Telegram sees to that. */
export const clearScratch = (host: Host) => rm(scratchOf(host), { recursive: true, force: true });
