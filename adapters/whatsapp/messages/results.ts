import { openAsBlob } from "node:fs";
import type { Memory } from "../../../src/common/memory.ts";
import { translator } from "../../../src/common/i18n.ts";
import type { ResultFile } from "../../../src/infrastructure/media/files/result-file.ts";
import type { UserId } from "../../../src/seam/values.ts";
import type { ResultView } from "../../../src/seam/views.ts";
import {
  type FileChannel,
  fileDeliveries,
  type FilePosting,
  type FileStep,
  showFileByFile,
} from "../../kit/results/file-by-file.ts";
import { noteResult } from "../../kit/handlers/reply-words.ts";
import type { Spoken } from "../../kit/messages/choices.ts";
import { hasCodecs } from "../../kit/results/codecs.ts";
import { linkTo } from "../../kit/results/forms.ts";
import { CloudError, isAnswer, meaningOf } from "../api/errors.ts";
import { type Services, userOf, type WhatsAppAddress, type WhatsAppReceipt } from "../context/context.ts";
import { WHATSAPP } from "../api/limits.ts";
import { react, say, show, type Shown } from "./post.ts";

/** What a file was posted as. */
interface Posted {
  readonly message: string;
  readonly as: Shown["type"] | "link";
  readonly url?: string;
}

type Posting = FilePosting<WhatsAppAddress, Posted> & { readonly said: Spoken; readonly name: string };

/** A result is how a job ended, and `Arrivals` sees to it that it arrives. */
const WATCHED = { isEnd: true, isSeenTo: true };

/** What was posted of each result. */
export const deliveriesIn = (memory: Memory) => fileDeliveries<WhatsAppAddress, Posted>(memory, userOf);

/** Posts a finished job's files as an answer to what asked for them. Errors as for `showResult`. */
export async function sendResult(
  services: Services,
  at: WhatsAppAddress | WhatsAppReceipt,
  view: ResultView,
  signal: AbortSignal | undefined,
  said: Spoken,
): Promise<WhatsAppReceipt> {
  const { told: _, message: _message, job: _job, ...address } = at as WhatsAppReceipt;
  const user = userOf(address);
  await services.arrivals.forgetLost(user, view.job.id);
  const channel = channelOf(services, view, said, user, "told" in at);
  const posted = await showFileByFile(channel, address, view, signal);
  if (await services.arrivals.isNews(user, view.job.id)) react(services, address, "✅");
  return posted;
}

function channelOf(services: Services, { job }: ResultView, said: Spoken, user: UserId, isFirst: boolean) {
  const { host, memory } = services;
  const stepOf = (ways: readonly Posted["as"][]): FileStep<WhatsAppAddress, Posted> => ({
    isDue: () => true,
    post: async (posting, file) => {
      const posted = await services.arrivals.firstTaken(
        user,
        job.id,
        ways.map((as) => [
          as,
          (name: string) => {
            const whole = { ...posting, name, said: posting.under ? said : { text: "", buttons: [] } };
            return as === "link" ? asLink(services, whole, file) : asFile(services, as, whole, file);
          },
        ]),
        (err) => {
          const isRefusal = meaningOf(err) === "refused";
          if (isRefusal) host.log.warn({ err }, "WhatsApp refused a result in one form; trying the next");
          return isRefusal;
        },
        (hindrance) => new CloudError("A message did not arrive", 0, hindrance),
      );
      return noteResult(services.notes, posting.at.chat, posted, said.buttons);
    },
  });
  // WhatsApp makes pictures smaller.
  const original: FileStep<WhatsAppAddress, Posted> = {
    isDue: (last) => last?.as === "image",
    post: async (posting, file) => {
      const bare = { ...posting, under: undefined };
      return (await stepOf(["document"]).post(bare, file)) ?? null;
    },
  };
  return {
    host,
    title: "WhatsApp",
    deliveries: deliveriesIn(memory),
    steps: {
      video: [stepOf(["video", "document", "link"])],
      image: [stepOf(["image", "document", "link"]), original],
    },
    receiptOf: (id, { address, posted: [first] }) =>
      first ? { ...address, message: first.message, job: id } : undefined,
    async pointAt(at, { message }) {
      // A process was killed between showing it and noting that.
      if (isFirst || message === undefined) return isFirst;
      const text = translator(at.locale)("view.shown");
      await say(services, { ...at, replyTo: message }, { text, buttons: [] });
      return true;
    },
    whileUploading: (_at, _kind, task) => task(),
    isAnswer,
    say: (at, { text, rows }) => say(services, at, { text, buttons: rows.flat() }),
  } satisfies FileChannel<WhatsAppAddress, WhatsAppReceipt, Posted>;
}

/** @returns undefined where it cannot be of that kind */
async function asFile(
  services: Services,
  type: Shown["type"],
  { at, said, covered, name }: Posting,
  file: ResultFile,
): Promise<Posted | undefined> {
  if (file.bytes > WHATSAPP[type] || !(await plays(type, file, covered))) return undefined;
  const mime = type === "video" ? "video/mp4" : file.type;
  const id = await services.api.upload(await openAsBlob(file.path), file.name, mime);
  const shown = { type, file: { id, ...(type === "document" && { filename: file.name }) } };
  return { message: await show(services, at, shown, said, { ...WATCHED, name }), as: type };
}

/** What nobody is to see before they want to is a file to be opened: nothing else is covered there. */
async function plays(type: Shown["type"], file: ResultFile, covered: boolean): Promise<boolean> {
  if (type === "document") return true;
  if (covered) return false;
  if (type === "image") return ["image/jpeg", "image/png"].includes(file.type);
  return hasCodecs(file.path, WHATSAPP.codecs);
}

async function asLink(services: Services, { at, said, name }: Posting, file: ResultFile) {
  const link = await linkTo(services.host, file, said.text, translator(at.locale));
  if (!link) return undefined;
  const message = await say(services, at, { ...said, text: link.text }, { ...WATCHED, name });
  return { message, as: "link" as const, url: link.url };
}
