import { openAsBlob } from "node:fs";
import type { ResultMedia } from "../../../src/infrastructure/media/files/result-media.ts";
import type { ResultView } from "../../../src/seam/views.ts";
import type { Memory } from "../../../src/common/memory.ts";
import { translator } from "../../../src/common/i18n.ts";
import {
  type FileChannel,
  fileDeliveries,
  type FileStep,
  showFileByFile,
} from "../../../adapters/kit/results/file-by-file.ts";
import { bestForm, notesOf } from "../../../adapters/kit/results/forms.ts";
import { LIMITS, Refused } from "../chat/client.ts";
import { type ChatAddress, type ChatReceipt, NAME, render, type Services } from "./context.ts";

/** What a file was posted as: the file, or a link to it. */
interface Posted {
  readonly message: number;
  readonly url?: string;
}

/** What was posted of each result. */
export const deliveriesIn = (memory: Memory) =>
  fileDeliveries<ChatAddress, Posted>(memory, ({ chat }) => `${NAME}:${chat}`);

/** Posts a finished job's files in place of its progress. Errors as for `showResult`. */
export async function sendResult(
  services: Services,
  at: ChatAddress | ChatReceipt,
  view: ResultView,
  signal: AbortSignal | undefined,
): Promise<ChatReceipt> {
  const shown = await showFileByFile(fileChannelOf(services), at, view, signal);
  if ("message" in at && at.message !== shown.message) await services.api.remove(at.chat, at.message);
  return shown;
}

function fileChannelOf(services: Services): FileChannel<ChatAddress, ChatReceipt, Posted> {
  const { api, memory, host } = services;
  return {
    host,
    title: "The test platform",
    deliveries: deliveriesIn(memory),
    steps: { video: [stepOf("video", services)], image: [stepOf("image", services)] },
    receiptOf: (job, { address, posted: [first] }) =>
      first ? { ...address, message: first.message, job } : undefined,
    async pointAt(at, { message }) {
      const text = translator(at.locale)("view.shown");
      await api.post(at.chat, { text, rows: [], replyTo: message });
      return true;
    },
    whileUploading: (_at, _kind, task) => task(),
    isAnswer: (error) => error instanceof Refused,
    say: ({ chat }, message) => api.post(chat, message),
  };
}

function stepOf(kind: ResultMedia["kind"], { api, host }: Services): FileStep<ChatAddress, Posted> {
  return {
    isDue: () => true,
    async post({ at, under, signal }, file) {
      const form = await bestForm({ ...file, kind }, { host, maxBytes: LIMITS.upload, signal });
      if (!form) return undefined;
      const { text, rows } = under ? render(at, under) : { text: "", rows: [] };
      const notes = notesOf(translator(at.locale), form, "The test platform");
      const lines = notes.map((note) => [note.text, note.url].filter(Boolean).join(" "));
      const said = { text: [text, ...lines].join("\n"), rows };
      const url = notes.find((note) => note.url !== undefined)?.url;
      const linked = url !== undefined && { url };
      if (form.as === "link") return { message: await api.post(at.chat, said), ...linked };
      const whole = new File([await openAsBlob(form.file.path)], form.file.name);
      return { message: await api.post(at.chat, said, whole), ...linked };
    },
  };
}
