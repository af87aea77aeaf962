/** What is asked for in one language, and what comes of it. */
export interface Prompts {
  /** With a photo or without. */
  readonly allowed: readonly string[];
  /** Without a photo alone. */
  readonly allowedWithoutPhoto: readonly string[];
  /** A sexual word, and whom it may not stand beside. */
  readonly minors: { readonly sexual: string; readonly who: readonly string[] };
  /** What is refused of a photo. */
  readonly ofPhotos: readonly string[];
}
