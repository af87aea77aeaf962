import { existsSync } from "node:fs";
import type { Hono } from "hono";
import { ReelayError } from "../../common/errors.ts";
import { inTestMode } from "../../common/test-mode.ts";
import type { Logger } from "../../infrastructure/telemetry/telemetry.ts";
import type { TestMode } from "../../seam/surface/host.ts";

/** What was opened for test tokens: a whole server that listens nowhere. */
export interface OpenTests {
  readonly server: { readonly routes: Pick<Hono, "fetch"> };
  stop(): Promise<void>;
}

/** What it is opened with. */
interface TestModeParts {
  /** Whether there may be one at all. */
  readonly exists: boolean;
  /** The database that it keeps its jobs in. */
  readonly store: string;
  /** Whether somebody has a token. */
  readonly isKnown: (token: string) => Promise<boolean>;
  readonly open: () => Promise<OpenTests>;
  readonly log: Logger;
}

/** Opens what test tokens lead to when the first one comes; until then it costs nothing. */
export class LazyTestMode implements TestMode {
  readonly #parts: TestModeParts;
  #open: Promise<OpenTests> | undefined;
  #isStopped = false;

  constructor(parts: TestModeParts) {
    this.#parts = parts;
  }

  async answering(token: string): Promise<Awaited<ReturnType<TestMode["answering"]>>> {
    if (!(await this.#parts.isKnown(token))) return undefined;
    if (!this.#parts.exists) throw new ReelayError("test_mode_missing");
    return this.#answer(this.#opened());
  }

  async opened(): Promise<Awaited<ReturnType<TestMode["opened"]>>> {
    return this.#open && this.#answer(this.#open);
  }

  /** Goes on with what an earlier process left there, if one did. Nobody waits for it. */
  resume(): void {
    const { exists, store, log } = this.#parts;
    if (!exists || !existsSync(store)) return;
    this.#opened().catch((err: unknown) =>
      log.error(
        { err },
        "What test tokens lead to could not be opened; the next request with one tries again",
      ),
    );
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    const tests = await this.#open?.catch(() => undefined);
    await tests?.stop();
  }

  async #answer(opening: Promise<OpenTests>) {
    const { server } = await opening;
    return async (request: Request, env: object) => inTestMode(() => server.routes.fetch(request, env));
  }

  /** However many come at once, it is opened once; what failed is tried again by whoever comes next. */
  #opened(): Promise<OpenTests> {
    if (this.#isStopped) throw new ReelayError("storage_down");
    this.#open ??= inTestMode(this.#parts.open).catch((error: unknown) => {
      this.#open = undefined;
      // Where it is, and what is to be done there, is nothing for whoever has a token: the doctor says it.
      if (error instanceof ReelayError && error.code === "sandbox_damaged")
        throw new ReelayError("storage_down", { reason: "its sandbox is damaged" }, { cause: error });
      throw error;
    });
    return this.#open;
  }
}
