import type { Context } from "hono";
import { ReelayError } from "../../../src/common/errors.ts";
import { serveFile } from "../../../src/infrastructure/media/files/serve.ts";
import type { PartnerHost } from "../../../src/seam/surface/host.ts";

/**
 * Answers with the file of a result.
 * @throws ReelayError `result_expired` where it was erased before its time, with its job; `result_missing` where it was not: the place of the
 * files may be another one than it was
 */
export async function serveResult(
  c: Context,
  held: PartnerHost["held"],
  file: string,
  headers: Readonly<Record<string, string>>,
): Promise<Response> {
  try {
    return await serveFile(c, held, file, headers);
  } catch (error) {
    if (!(error instanceof ReelayError && error.code === "media_gone")) throw error;
    throw new ReelayError(
      (await held.isHeld(file)) ? "result_missing" : "result_expired",
      {},
      { cause: error },
    );
  }
}
