import type { MediaRef, Values } from "../../src/seam/values.ts";

/** Pictures that orders are made of. */
export interface OrderPictures {
  readonly photo: MediaRef;
  /** What is to be inpainted. */
  readonly mask: MediaRef;
  /** The face of a face swap. */
  readonly face: MediaRef;
}

/** The least that each operation takes. */
export function leastOrders({ photo, mask, face }: OrderPictures): Readonly<Record<string, Values>> {
  return {
    video: { image: photo, prompt: "zoom" },
    "video-audio": { prompt: "waves" },
    "h3-image": { image: photo, prompt: "zoom" },
    "h3-text": { prompt: "waves" },
    "h3-reference": { images: [photo], prompt: "they meet" },
    vid3: { images: [photo], prompt: "they meet" },
    "image-edit": { images: [photo], prompt: "make it winter" },
    inpaint: { image: photo, mask, prompt: "tulips" },
    image: { prompt: "a lighthouse" },
    "imgpro-edit": { images: [photo], prompt: "make it winter" },
    "imgpro-reference": { images: [photo], prompt: "a lighthouse" },
    faceswap: { target: photo, source: face },
  };
}
