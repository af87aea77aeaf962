import { crc32, deflateSync } from "node:zlib";

/** A part of a PNG. */
function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const around = Buffer.alloc(4);
  around.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([around, named, sum]);
}

/**
 * A black PNG with one bit for a pixel.
 * @param rows how many it really has, where its header lies
 */
export function blackPng(width: number, height: number, rows = height): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(1, 8);
  const pixels = deflateSync(Buffer.alloc(rows * (1 + Math.ceil(width / 8))), { level: 9 });
  const signature = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", pixels),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** A GIF of one pixel that moves for so many frames. */
export function longGif(frames: number): Buffer {
  const head = Buffer.from("GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff", "latin1");
  const frame = Buffer.from("\x21\xf9\x04\0\x0a\0\0\0\x2c\0\0\0\0\x01\0\x01\0\0\x02\x02\x44\x01\0", "latin1");
  return Buffer.concat([head, ...Array.from({ length: frames }, () => frame), Buffer.from(";")]);
}

/** A HEIC file whose sizes are other ones. */
export function resizedHeic(heic: Buffer, width: number, height: number): Buffer {
  const lying = Buffer.from(heic);
  for (let at = lying.indexOf("ispe"); at >= 0; at = lying.indexOf("ispe", at + 1)) {
    lying.writeUInt32BE(width, at + 8);
    lying.writeUInt32BE(height, at + 12);
  }
  return lying;
}
