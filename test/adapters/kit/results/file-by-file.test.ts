import { expect, it } from "vitest";
import {
  fileDeliveries,
  type FileChannel,
  showFileByFile,
} from "../../../../adapters/kit/results/file-by-file.ts";
import type { Locale } from "../../../../src/common/i18n.ts";
import { memory } from "../../../../src/infrastructure/storage/key-value.ts";
import { makeLogger } from "../../../../src/infrastructure/telemetry/telemetry.ts";
import { FailingFolder, FOLDER_FAULTS } from "../../../support/failing-folder.ts";
import { result } from "../../../support/results.ts";
import { temporaryFolder } from "../../../support/sandbox.ts";

/** What was posted. */
interface Posted {
  readonly message: number;
  readonly url?: string;
}

interface Place {
  readonly locale: Locale;
  readonly message?: number;
}

it.each(FOLDER_FAULTS)(
  "a file is posted once, although that it was could not be written at first: %s",
  async (fault) => {
    await using folder = new FailingFolder(fault);
    const entries = memory(await folder.open(), "results");
    let posts = 0;
    const post = async (): Promise<Posted> => {
      await folder.fail();
      return { message: (posts += 1) };
    };
    const channel: FileChannel<Place, Place, Posted> = {
      title: "Somewhere",
      host: { log: makeLogger({ level: "silent" }), scratch: temporaryFolder() },
      deliveries: fileDeliveries<Place, Posted>(entries, () => "telegram:ann"),
      steps: { image: [{ isDue: () => true, post }], video: [] },
      receiptOf: (_job, { address, posted: [first] }) =>
        first ? { ...address, message: first.message } : undefined,
      pointAt: async () => true,
      whileUploading: (_at, _kind, task) => task(),
      isAnswer: () => false,
      say: async () => {},
    };
    const show = () => showFileByFile(channel, { locale: "en" }, result("image"), undefined);
    expect(await folder.mendOnceWaitedFor(show())).toEqual({ locale: "en", message: 1 });
    // Told once more after a crash, it is there.
    expect(await show()).toEqual({ locale: "en", message: 1 });
    expect(posts).toBe(1);
  },
);
