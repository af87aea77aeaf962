/** What of heic-decode is used; it brings no types. */
declare module "heic-decode" {
  interface Decoded {
    readonly width: number;
    readonly height: number;
    readonly data: Uint8ClampedArray;
  }
  interface Found {
    /** Pixels, turned as it is to be shown. */
    readonly width: number;
    readonly height: number;
    decode(): Promise<Decoded>;
  }
  const heic: { all(input: { readonly buffer: Uint8Array }): Promise<Found[] & { dispose(): void }> };
  export default heic;
}
