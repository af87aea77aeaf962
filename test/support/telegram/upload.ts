/** A file that came with a multipart request. */
export class Upload {
  readonly bytes: Buffer;
  readonly fileName: string;
  readonly mimeType: string;

  constructor(bytes: Buffer, fileName: string, mimeType: string) {
    this.bytes = bytes;
    this.fileName = fileName;
    this.mimeType = mimeType;
  }
}
