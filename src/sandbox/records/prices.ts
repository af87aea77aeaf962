import { VID3_PRICE } from "../../common/contract.ts";
import type { Liberties } from "../liberties/liberties.ts";

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

/** What is described and no more, in hundredths of a token. */
export const DESCRIBED_PRICE = 100;

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

const SOUND_PER_SECOND = 0.55;
const LARGE_PIXELS = 700_000;

/**
 * What a video with audio costs; the contract shows no price for it.
 * @returns hundredths of a token
 */
export function videoAudioPrice(video: {
  readonly duration: number;
  readonly width: number;
  readonly height: number;
}): number {
  const size = video.width * video.height > LARGE_PIXELS ? 1.5 : 1;
  return Math.round(SOUND_PER_SECOND * size * video.duration * 100);
}

/** The choices of an H3 video that its price depends on. */
export interface PricedH3 {
  /** Seconds. */
  readonly duration: number;
  readonly megapixels: number;
  readonly turbo_mode: boolean;
  readonly realism_lora: boolean;
}

const H3_PER_SECOND = 0.4;
const H3_PER_MEGAPIXEL_SECOND = 0.8;

/**
 * What an H3 video costs; the contract shows no prices, but that both may differ (section 4.7, rule 4).
 * @returns hundredths of a token: what is reserved, and what it is in the end. Turbo turns out cheaper, realism
 * without turbo dearer
 */
export function h3Price(
  video: PricedH3,
  { h3Final }: Pick<Liberties, "h3Final">,
): { readonly cost: number; readonly finalCost: number } {
  const cost = Math.round(
    (H3_PER_SECOND + H3_PER_MEGAPIXEL_SECOND * video.megapixels) * video.duration * 100,
  );
  const usual = video.turbo_mode ? 0.85 : video.realism_lora ? 1.1 : 1;
  const share = { turbo: usual, reserved: 1, dearer: 1.1 }[h3Final];
  return { cost, finalCost: Math.round(cost * share) };
}

/**
 * What reference-to-video v3 costs (section 4.8).
 * @returns hundredths of a token
 */
export function vid3Price(video: {
  readonly duration: number;
  readonly size: keyof typeof VID3_PRICE.perSecond;
}): number {
  return Math.round(Math.max(VID3_PRICE.min, video.duration * VID3_PRICE.perSecond[video.size]) * 100);
}
