import { Readable } from "node:stream";
import type { APIAttachment } from "discord.js";
import { examined } from "../../../src/seam/forms/examined.ts";
import type { FieldSpec } from "../../../src/seam/fields.ts";
import { takesFiles, withValue } from "../../../src/seam/forms/filling.ts";
import { keepFile } from "../../../src/seam/surface/kept-files.ts";
import type { SurfaceHost } from "../../../src/seam/surface/host.ts";
import { mediaIn, type MediaRef, type UserId, type Value, type Values } from "../../../src/seam/values.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import { keptName } from "../../../src/seam/text/kept-name.ts";
import type { MediaFiles } from "../../../src/infrastructure/media/files/files.ts";
import { MAX_PICTURE_BYTES } from "../../../src/infrastructure/media/pictures/picture.ts";
import { frameOf, MAX_VIDEO_BYTES } from "../../kit/drafts/first-frame.ts";
import { contentsIn, fetchFile, Unreached } from "../../kit/files/fetch-file.ts";
import { ask, FILE_SILENCE_MS } from "../../kit/files/request.ts";
import type { Services, InteractionContext } from "../context/context.ts";
import { readMask } from "./mask.ts";

/** Where Discord keeps what people send: nothing is fetched from elsewhere. */
const HOSTS = ["https://cdn.discordapp.com", "https://media.discordapp.net"];

/** A file as Discord tells of it: a reference that holds for a day, as long as its link. */
export function attached({
  url,
  filename,
  size,
}: Pick<APIAttachment, "url" | "filename" | "size">): MediaRef {
  return { surface: "discord", id: url, name: keptName(filename), bytes: size };
}

/** What people film in, by the ends of its names: Discord plays the same. */
const VIDEO = /\.(mp4|m4v|mov|webm|mkv|avi)$/i;

export const isVideo = ({ name = "" }: Pick<MediaRef, "name">) => VIDEO.test(name);

/** Of a video that is given for a picture, its first frame is taken. */
const isForFrame = ({ sounds, over }: FieldSpec, file: MediaRef) =>
  sounds === undefined && over === undefined && isVideo(file);

/** Whether a file was read into the data folder: until then its id is its link. */
const isRead = ({ id }: MediaRef) => !URL.canParse(id);

/** Whether a link leads to where Discord keeps what people send. */
export function isDiscords({ config }: Pick<SurfaceHost, "config">, link: string): boolean {
  const { apiRoot } = config.discord ?? {};
  const hosts = apiRoot === undefined ? HOSTS : [...HOSTS, new URL(apiRoot).origin];
  return hosts.includes(URL.parse(link)?.origin ?? "");
}

/** What became of values that were looked at. */
export interface Looked {
  /** As far as they are fine, or may be another time. */
  readonly values: Values;
  /** What was wrong with the first that is not. */
  readonly problem: ReelayError | undefined;
}

type Reader = Pick<InteractionContext, "host" | "memory" | "intake" | "origin">;

type Look = (field: FieldSpec, values: Values) => Promise<Value | undefined>;

/** Looks at the files of each field; at a mask after the picture that it marks a part of. */
async function lookAt(fields: readonly FieldSpec[], given: Values, look: Look): Promise<Looked> {
  let values = given;
  let problem: ReelayError | undefined;
  for (const field of fields.filter(takesFiles).toSorted((a, b) => depthOf(a) - depthOf(b))) {
    const { name } = field;
    if (values[name] === undefined) continue;
    try {
      values = withValue(values, name, await look(field, values));
    } catch (error) {
      if (!(error instanceof ReelayError)) throw error;
      problem ??= error;
      // What is only out of reach now stays to be tried again.
      if (!error.retryable) values = withValue(values, name, undefined);
    }
  }
  return { values, problem };
}

/**
 * Looks at files before anything is fetched. Problems: `url_refused` for links that lead elsewhere than to Discord's
 * media hosts, `media_too_large`.
 */
export function checkFiles(
  { host }: Pick<Services, "host">,
  fields: readonly FieldSpec[],
  values: Values,
): Promise<Looked> {
  return lookAt(fields, values, async (field, { [field.name]: value }) => {
    for (const file of mediaIn(value)) checkFile(host, field, file);
    return value;
  });
}

/**
 * Reads the files that are still Discord's into the data folder, where they stay as long as their owner is not
 * forgotten; a painted copy of a picture becomes the mask that it stands for. Problems: as for {@link checkFiles};
 * `media_gone`, `media_unreached`; those of `Intake.examine` and of `maskFrom`.
 */
export function readFiles(
  reader: Reader,
  owner: UserId,
  fields: readonly FieldSpec[],
  values: Values,
): Promise<Looked> {
  return lookAt(fields, values, async (field, { [field.name]: value, ...others }) => {
    if (mediaIn(value).every(isRead)) return value;
    const [picture] = field.over === undefined ? [] : mediaIn(others[field.over]);
    // Its picture is out of reach now: both are tried again.
    if (picture && !isRead(picture)) return value;
    const files = await Promise.all(mediaIn(value).map((file) => readFile(reader, owner, field, file)));
    const [file] = files;
    if (field.over === undefined || !file) return Array.isArray(value) ? files : file;
    return readMask(reader, owner, picture, file);
  });
}

function checkFile(host: Pick<SurfaceHost, "config">, field: FieldSpec, file: MediaRef): void {
  const { id, bytes = 0 } = file;
  const max = isForFrame(field, file) ? MAX_VIDEO_BYTES : maxBytesOf(field);
  if (isRead(file)) return;
  if (!isDiscords(host, id)) throw new ReelayError("url_refused");
  if (bytes > max) throw new ReelayError("media_too_large", { max });
}

const maxBytesOf = ({ sounds }: FieldSpec) => sounds?.maxBytes ?? MAX_PICTURE_BYTES;

const depthOf = ({ over }: FieldSpec) => (over === undefined ? 0 : 1);

/** A file in the data folder, as it is or as Discord gives it. */
async function readFile(reader: Reader, owner: UserId, field: FieldSpec, file: MediaRef): Promise<MediaRef> {
  if (isRead(file)) return file;
  checkFile(reader.host, field, file);
  if (isForFrame(field, file)) {
    const frame = await frameOf(reader, () => download(file.id));
    return { surface: "discord", ...(await keepFile(reader, owner, Readable.from([frame]), frame.length)) };
  }
  const { name } = file;
  const kept = await keepFile(reader, owner, await download(file.id), maxBytesOf(field));
  const read = { surface: "discord", ...kept, ...(name !== undefined && { name }) } as const;
  // What a mask is painted on is looked at when it is read.
  if (field.over === undefined) await examined(reader.intake, reader.origin, field, read);
  return read;
}

/** @throws ReelayError `media_gone`; `media_unreached`, also from the stream, where trying again may help */
function download(url: string): Promise<Readable> {
  return fetchFile(async (signal) => {
    const answer = await ask(url, { signal, silenceMs: FILE_SILENCE_MS }).catch((cause: unknown) => {
      throw new Unreached("Discord's file server did not answer", { cause });
    });
    const contents = await contentsIn(answer);
    if (!contents) throw new ReelayError("media_gone");
    return contents;
  });
}

/** Opens a file that a person sent. @throws ReelayError `media_gone` */
export async function openMedia(files: MediaFiles, { id }: MediaRef): Promise<Readable> {
  return files.open(id);
}
