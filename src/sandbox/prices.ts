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
