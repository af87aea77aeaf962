/** The choices of a video that its price depends on. */
export interface PricedVideo {
  /** Seconds. */
  readonly duration: number;
  readonly steps: number;
  readonly video_quality: "legacy" | "new";
  readonly auto_upscale: boolean;
}

const PER_SECOND = 0.45;
const STEPS_FACTOR: Readonly<Record<number, number>> = { 4: 1, 6: 1.4, 8: 1.8 };
const NEW_QUALITY_FACTOR = 1.5;
const UPSCALE_PER_SECOND = 0.35;

/**
 * What a video costs; the contract shows no price for it.
 * @returns hundredths of a token
 */
export function videoPrice(video: PricedVideo): number {
  const quality = video.video_quality === "new" ? NEW_QUALITY_FACTOR : 1;
  const perSecond = PER_SECOND * (STEPS_FACTOR[video.steps] ?? 1) * quality;
  const upscale = video.auto_upscale ? UPSCALE_PER_SECOND : 0;
  return Math.round((perSecond + upscale) * video.duration * 100);
}

/** An inpainting, in hundredths of a token; the contract shows no price for it, nor for the next ones. */
export const INPAINT_PRICE = 75;

/** A face swap, in hundredths of a token. */
export const FACESWAP_PRICE = 150;

const PER_MEGAPIXEL = 40;
const MEGAPIXEL = 1024 * 1024;

/**
 * What a text-to-image picture of a size in pixels costs.
 * @returns hundredths of a token
 */
export function imagePrice({ width, height }: { readonly width: number; readonly height: number }): number {
  return PER_MEGAPIXEL * Math.ceil((width * height) / MEGAPIXEL);
}

const EDIT = 60;
const FURTHER_PICTURE = 15;

/**
 * What an image edit costs: twice as much in quality mode (section 4.5).
 * @returns hundredths of a token
 */
export function imageEditPrice(
  { v2_mode }: { readonly v2_mode: "fast" | "quality" },
  pictures: number,
): number {
  return (EDIT + FURTHER_PICTURE * (pictures - 1)) * (v2_mode === "quality" ? 2 : 1);
}
