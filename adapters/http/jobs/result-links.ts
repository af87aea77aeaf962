import { z } from "zod";
import { ReelayError } from "../../../src/common/errors.ts";
import type { Signer } from "../../../src/infrastructure/media/files/signed.ts";
import type { PartnerHost } from "../../../src/seam/surface/host.ts";
import { TEST_LINK } from "../access/test-tokens.ts";
import type { KeptResult } from "../resources/notes.ts";
import { currentTime } from "../../../src/common/time.ts";

/** Where links lead, below the server's address. */
const LINKS_PATH = "/v1/media";

const shared = z.object({ file: z.string(), name: z.string(), type: z.string(), until: z.number() });

/** What a link gives away. */
export type Shared = z.output<typeof shared>;

/** Links to results for whoever has them, as long as the result is kept. Nothing is stored for one. */
export class ResultLinks {
  readonly #signer: Signer;
  readonly #prefix: string;

  constructor({ signer, mode }: Pick<PartnerHost, "signer" | "mode">) {
    this.#signer = signer;
    this.#prefix = mode === "test" ? TEST_LINK : "";
  }

  /** The path of a link to a result. */
  async make({ file, name, type, until }: KeptResult): Promise<string> {
    return `${LINKS_PATH}/${this.#prefix}${await this.#signer.sign({ file, name, type, until } satisfies Shared)}`;
  }

  /**
   * What a link gives away.
   * @throws ReelayError `not_found` for what was never one; `result_expired`
   */
  async open(text: string): Promise<Shared> {
    const { data } = shared.safeParse(await this.#signer.verify(text.slice(this.#prefix.length)));
    if (!data) throw new ReelayError("not_found");
    if (data.until <= currentTime()) throw new ReelayError("result_expired");
    return data;
  }
}
