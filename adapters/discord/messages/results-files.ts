import { readFile } from "node:fs/promises";
import type { Translate } from "../../../src/common/i18n.ts";
import type { ResultFile } from "../../../src/infrastructure/media/files/result-file.ts";
import { bestForm, type FinishedFile, notesOf } from "../../kit/results/forms.ts";
import { TakesNoForm } from "../../../src/seam/surface/takes-no-form.ts";
import type { MessageBody } from "../api/api.ts";
import type { Services } from "../context/context.ts";
import { DISCORD } from "../api/limits.ts";
import type { CardFiles } from "./card.ts";

/** Room for everything in a request but its files, in bytes. */
const REQUEST_REST = 64 * 1024;

/** What the small picture of what it was made of is called. */
const SOURCE = "source.jpg";

interface FormParts {
  readonly host: Services["host"];
  readonly say: Translate;
  /** A small picture of what they were made of, where there is one. */
  readonly source: Buffer | undefined;
  /** Whether they come covered until somebody wants to see them. */
  readonly covered: boolean;
  readonly signal: AbortSignal | undefined;
}

/** Files as a message carries them, with what is to be said of them. */
interface Enclosed {
  readonly uploads: Required<Pick<MessageBody, "files" | "attachments">>;
  readonly shown: CardFiles;
  /** Where those are that are not in the message as they are. */
  readonly links: readonly string[];
}

/**
 * Files in the best form that fits: as they are, made smaller, or as links to our own server.
 * @param fileLimit bytes of one that are taken
 * @throws TakesNoForm; the signal's reason
 */
export async function enclose(
  { host, say, source, covered, signal }: FormParts,
  files: readonly FinishedFile[],
  fileLimit: number,
): Promise<Enclosed> {
  const share = Math.floor((DISCORD.request - REQUEST_REST) / Math.max(1, files.length));
  const options = { host, maxBytes: Math.min(fileLimit, share), signal };
  const enclosed: ResultFile[] = [];
  const notes = new Set<string>();
  const links: string[] = [];
  for (const file of files) {
    const form = await bestForm(file, options);
    if (!form) throw new TakesNoForm();
    for (const { text, url } of notesOf(say, form, "Discord")) {
      if (url !== undefined) links.push(url);
      const note = url === undefined ? text : `[${text}](${url})`;
      notes.add(covered && url !== undefined ? `||${note}||` : note);
    }
    if (form.as !== "link") enclosed.push(form.file);
  }
  // discord.js takes no streams.
  const contents = await Promise.all(
    enclosed.map(async ({ name, type, path }) => ({ name, contentType: type, data: await readFile(path) })),
  );
  const beside = source ? [{ name: SOURCE, contentType: "image/jpeg", data: source }] : [];
  const uploaded = [...contents, ...beside];
  return {
    uploads: {
      files: uploaded,
      // Those that are named here are all that the message has after it.
      attachments: uploaded.map(({ name: filename }, id) => ({ id: String(id), filename })),
    },
    shown: {
      made: enclosed.map(({ name }) => name),
      ...(source && { source: SOURCE }),
      notes: [...notes],
    },
    links,
  };
}
