import { once } from "node:events";
import { createReadStream } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { MediaApi, type Submitted, Transport } from "../../../src/infrastructure/api/media-api.ts";
import type { MediaRef, Tags, Values } from "../../../src/seam/values.ts";
import { checkValues, fieldsOf } from "../../../src/domain/operations/fields.ts";
import { OrderFiles } from "../../../src/domain/operations/order.ts";
import { operationOf } from "../../../src/domain/operations/registry.ts";
import type { ClipTask } from "../../../src/sandbox/render/task.ts";
import { leastOrders } from "../../support/orders.ts";
import { temporaryFolder } from "../../support/sandbox.ts";
import { type Emulated, emulated } from "./service.ts";
import { said, type Wire, wireTo } from "./wire.ts";

/** Files as a person gives them. */
export interface Given {
  readonly photo: MediaRef;
  /** White in its middle. */
  readonly mask: MediaRef;
  /** A file with this content. */
  readonly file: (name: string, content: Buffer) => Promise<MediaRef>;
}

/** A square of one colour. */
const plain = (side: number, background: string) =>
  sharp({ create: { width: side, height: side, channels: 3, background } });

/** A photo and a mask, and files of any content. */
export async function givenFiles(): Promise<Given> {
  const dir = temporaryFolder();
  const file = async (name: string, content: Buffer): Promise<MediaRef> => {
    const path = join(dir, name);
    await writeFile(path, content);
    return { surface: "web", id: path, name };
  };
  const white = await plain(40, "#fff").png().toBuffer();
  return {
    photo: await file("photo.jpg", await plain(96, "#468").jpeg().toBuffer()),
    mask: await file(
      "mask.png",
      await plain(96, "#000")
        .composite([{ input: white }])
        .png()
        .toBuffer(),
    ),
    file,
  };
}

/** The least that each operation needs. */
export function leastOf({ photo, mask }: Given): Readonly<Record<string, Values>> {
  return leastOrders({ photo, mask, face: photo });
}

/** What an operation sent, and what was answered. */
interface Made {
  readonly submitted: Submitted;
  /** The body of its one paid POST. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly path: string;
}

/** Operations over a wire, with somebody's key. */
export interface Maker extends AsyncDisposable {
  readonly api: MediaApi;
  /** Checks values, prepares files and submits, as the core does. */
  make(operation: string, values: Values, tags?: Tags): Promise<Made>;
}

const TAGS: Tags = { platform: "web", inAppUsername: "somebody" };

/** @param baseUrl of the service, behind the wire */
export function makerOver(wire: Wire, baseUrl: string, key: string): Maker {
  const transport = new Transport();
  const api = new MediaApi({ baseUrl, key, transport, retry: { attempts: 1 } });
  return {
    api,
    async make(id, given, tags = TAGS) {
      const operation = operationOf(id);
      const values = checkValues(operation.schema, given);
      const before = wire.recorded.length;
      await using files = new OrderFiles();
      await files.prepare(fieldsOf(operation.schema), values, {
        dir: temporaryFolder(),
        openMedia: async ({ id: path }) => createReadStream(path),
      });
      const { images, sounds } = files;
      const submitted = await operation.submit(api, { values, tags, images, sounds });
      const posts = wire.recorded.slice(before).filter(({ path }) => path.includes("/generate/"));
      const [post] = posts;
      if (!post || posts.length > 1) throw new Error(`${posts.length} submissions were sent.`);
      return { submitted, body: said(post.body), path: post.path };
    },
    [Symbol.asyncDispose]: () => transport.close(),
  };
}

/** Operations over a wire, before a sandbox whose jobs run on. */
export interface Operating extends AsyncDisposable, Emulated {
  readonly wire: Wire;
  readonly given: Given;
  /** The clips that were begun; none of them ends. */
  readonly clips: readonly ClipTask[];
  /** The boss account's. */
  readonly maker: Maker;
  /** What each operation needs at least. */
  readonly least: Readonly<Record<string, Values>>;
  /** Has the boss account's operation done, with what else is given. */
  readonly make: (operation: string, values?: Values, tags?: Tags) => Promise<Made>;
}

export async function operating(): Promise<Operating> {
  const clips: ClipTask[] = [];
  const service = await emulated("running", {
    render: async (task, signal) => {
      clips.push(task);
      await once(signal, "abort");
    },
  });
  const { sandbox, hosts } = service;
  const wire = await wireTo(new URL(sandbox.url).origin);
  const given = await givenFiles();
  const maker = makerOver(wire, wire.through(hosts.primary), sandbox.keys.boss);
  const least = leastOf(given);
  return {
    ...service,
    wire,
    given,
    clips,
    maker,
    least,
    make: (operation, values, tags) => maker.make(operation, { ...least[operation], ...values }, tags),
    async [Symbol.asyncDispose]() {
      await maker[Symbol.asyncDispose]();
      await wire[Symbol.asyncDispose]();
      await sandbox.stop();
    },
  };
}
