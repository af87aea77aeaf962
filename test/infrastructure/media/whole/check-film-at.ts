import { createReadStream } from "node:fs";
import { join } from "node:path";
import { temporaryFile } from "../../../../src/infrastructure/media/files/temporary-file.ts";
import { checkFilm } from "../../../../src/infrastructure/media/whole/film.ts";
import { temporaryFolder } from "../../../support/sandbox.ts";

const folder = temporaryFolder();

/** Has a film looked at as one is that was just written. @throws as `checkFilm` */
export async function checkFilmAt(path: string, type: string): Promise<void> {
  const copy = await temporaryFile(join(folder, `${Math.random()}`), createReadStream(path), {
    check: (content) => checkFilm(content, type),
  });
  await copy[Symbol.asyncDispose]();
}
