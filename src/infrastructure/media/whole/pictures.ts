import { NotWhole, type FormatRules } from "./reading.ts";

/** PNG: chunk by chunk to the one that ends it, with something in it. */
export function* png(): FormatRules {
  yield { skip: 8 };
  for (let content = false; ;) {
    const head = yield { take: 8 };
    const type = head.toString("latin1", 4);
    content ||= type === "IDAT";
    // Each has a checksum behind it.
    yield { skip: head.readUInt32BE(0) + 4 };
    if (type !== "IEND") continue;
    if (!content) throw new NotWhole("No picture is in it.");
    return;
  }
}

/** Frames of JPEG: all SOF markers but those that begin something else. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** Markers that stand alone: they restart, or are an 0xff of the picture itself. */
const isAlone = (marker: number) => marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd8);

/** JPEG: marker by marker to the one that ends it, with something in it. */
export function* jpeg(): FormatRules {
  yield { skip: 2 };
  let frame = false;
  let scan = false;
  for (;;) {
    yield { seek: 0xff };
    let [marker = 0] = yield { take: 1 };
    // Any number of them may come before a marker.
    while (marker === 0xff) [marker = 0] = yield { take: 1 };
    if (marker === 0xd9) break;
    if (isAlone(marker)) continue;
    frame ||= isFrame(marker);
    scan ||= marker === 0xda;
    const bytes = (yield { take: 2 }).readUInt16BE(0);
    if (bytes < 2) throw new NotWhole("One of its segments cannot be.");
    yield { skip: bytes - 2 };
  }
  if (!frame || !scan) throw new NotWhole("No picture is in it.");
}

/** RIFF, as WebP and AVI are: as long as it says. */
export function* riff(): FormatRules {
  const head = yield { take: 12 };
  const bytes = head.readUInt32LE(4) - 4;
  if (bytes <= 8) throw new NotWhole("Nothing is in it.");
  yield { skip: bytes };
}

/** GIF: block by block to the trailer, with something in it. */
export function* gif(): FormatRules {
  const head = yield { take: 13 };
  yield* colours(head[10] ?? 0);
  for (let content = false; ;) {
    const [block] = yield { take: 1 };
    if (block === 0x3b) {
      if (!content) throw new NotWhole("No picture is in it.");
      return;
    }
    if (block === 0x21) yield { skip: 1 };
    else if (block === 0x2c) {
      const frame = yield { take: 9 };
      yield* colours(frame[8] ?? 0);
      yield { skip: 1 };
      content = true;
    } else throw new NotWhole("What should be a block is none.");
    for (let bytes = 1; bytes > 0;) {
      [bytes = 0] = yield { take: 1 };
      yield { skip: bytes };
    }
  }
}

/** A table of colours, where the flags say that there is one. */
function* colours(flags: number): FormatRules {
  if ((flags & 0x80) !== 0) yield { skip: 3 * 2 ** ((flags & 7) + 1) };
}
