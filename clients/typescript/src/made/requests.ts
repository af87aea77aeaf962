// What is asked for. Made from the OpenAPI document by `npm run docs:client`.

export type VideoInput = {
  readonly image: string | Blob;
  readonly prompt?: string;
  readonly template?: string;
  readonly sub_template?: string;
  readonly duration?: number;
  readonly orientation?: "portrait" | "landscape" | "square";
  readonly video_quality?: "legacy" | "new";
  readonly end_image?: string | Blob;
  readonly steps?: 4 | 6 | 8;
  readonly cfg?: number;
  readonly seed?: number;
  readonly negative_prompt?: string;
  readonly auto_upscale?: boolean;
} & ({ readonly prompt: unknown; } | { readonly template: unknown; });
export type VideoAudioInput = {
  readonly image?: string | Blob;
  readonly prompt: string;
  readonly template?: string;
  readonly duration?: number;
  readonly width?: number;
  readonly height?: number;
  readonly frame_rate?: 16 | 25;
  readonly negative_prompt?: string;
};
export type H3ImageInput = {
  readonly image: string | Blob;
  readonly prompt: string;
  readonly duration?: number;
  readonly aspect_ratio?: "16:9" | "9:16" | "1:1" | "4:3" | "3:4" | "21:9";
  readonly megapixels?: number;
  readonly turbo_mode?: boolean;
  readonly seed?: number;
  readonly template?: string;
  readonly sub_template?: string;
};
export type H3TextInput = {
  readonly prompt: string;
  readonly duration?: number;
  readonly aspect_ratio?: "16:9" | "9:16" | "1:1" | "4:3" | "3:4" | "21:9";
  readonly megapixels?: number;
  readonly turbo_mode?: boolean;
  readonly seed?: number;
};
export type H3ReferenceInput = {
  readonly images: readonly (string | Blob)[];
  readonly prompt: string;
  readonly duration?: number;
  readonly aspect_ratio?: "16:9" | "9:16" | "1:1" | "4:3" | "3:4" | "21:9";
  readonly megapixels?: number;
  readonly turbo_mode?: boolean;
  readonly seed?: number;
  readonly template?: string;
  readonly sub_template?: string;
  readonly realism_lora?: boolean;
};
export type Vid3Input = {
  readonly images: readonly (string | Blob)[];
  readonly prompt: string;
  readonly duration?: number;
  readonly size?: "480p" | "720p" | "1080p";
  readonly aspect_ratio?: "16:9" | "9:16" | "1:1" | "4:3" | "3:4";
  readonly audio_enable?: boolean;
  readonly audios?: readonly (string | Blob)[];
  readonly prompt_expansion_enable?: boolean;
  readonly seed?: number;
};
export type ImageEditInput = {
  readonly images: readonly (string | Blob)[];
  readonly prompt?: string;
  readonly template?: string;
  readonly v2_mode?: "fast" | "quality";
  readonly model?: "model_a" | "model_b";
  readonly guidance?: number;
  readonly width?: number;
  readonly height?: number;
  readonly seed?: number;
} & ({ readonly prompt: unknown; } | { readonly template: unknown; });
export type InpaintInput = {
  readonly image: string | Blob;
  readonly mask: string | Blob;
  readonly prompt: string;
  readonly negative_prompt?: string;
  readonly steps?: number;
  readonly cfg?: number;
  readonly seed?: number;
};
export type ImageInput = {
  readonly prompt: string;
  readonly model?: string;
  readonly style?: string;
  readonly width?: number;
  readonly height?: number;
  readonly guidance?: number;
  readonly steps?: number;
  readonly seed?: number;
};
export type ImgproEditInput = {
  readonly images: readonly (string | Blob)[];
  readonly prompt?: string;
  readonly template?: string;
  readonly size?: "1024x1024" | "1536x1024" | "1024x1536" | "2048x2048" | "2304x1728" | "1728x2304" | "2560x1440" | "1440x2560";
  readonly output_format?: "jpg" | "png";
} & ({ readonly prompt: unknown; } | { readonly template: unknown; });
export type ImgproReferenceInput = {
  readonly images: readonly (string | Blob)[];
  readonly prompt: string;
  readonly size?: "2048x2048" | "2304x1728" | "1728x2304" | "2560x1440" | "1440x2560";
};
export type FaceswapInput = { readonly target: string | Blob; readonly source: string | Blob; };
export type NewJob = (VideoJob | VideoAudioJob | H3ImageJob | H3TextJob | H3ReferenceJob | Vid3Job | ImageEditJob | InpaintJob | ImageJob | ImgproEditJob | ImgproReferenceJob | FaceswapJob);
export type JobPlatform = string;
export type JobInAppUsername = string;
export type JobAgreed = readonly ("terms" | "consent" | "faces" | "adult")[];
export type JobMetadata = Readonly<Record<string, unknown>>;
export type JobWebhook = (string | {
  readonly url: string;
  readonly events?: readonly ("job.progress" | "job.completed" | "job.failed" | "job.cancelled")[];
});
export type VideoJob = {
  readonly operation: "video";
  readonly input: VideoInput;
  readonly platform?: JobPlatform;
  readonly in_app_username?: JobInAppUsername;
  readonly agreed?: JobAgreed;
  readonly metadata?: JobMetadata;
  readonly webhook?: JobWebhook;
};
export type VideoAudioJob = {
  readonly operation: "video-audio";
  readonly input: VideoAudioInput;
  readonly platform?: JobPlatform;
  readonly in_app_username?: JobInAppUsername;
  readonly agreed?: JobAgreed;
  readonly metadata?: JobMetadata;
  readonly webhook?: JobWebhook;
};
export type H3ImageJob = {
  readonly operation: "h3-image";
  readonly input: H3ImageInput;
  readonly platform?: JobPlatform;
  readonly in_app_username?: JobInAppUsername;
  readonly agreed?: JobAgreed;
  readonly metadata?: JobMetadata;
  readonly webhook?: JobWebhook;
};
export type H3TextJob = {
  readonly operation: "h3-text";
  readonly input: H3TextInput;
  readonly platform?: JobPlatform;
  readonly in_app_username?: JobInAppUsername;
  readonly agreed?: JobAgreed;
  readonly metadata?: JobMetadata;
  readonly webhook?: JobWebhook;
};
export type H3ReferenceJob = {
  readonly operation: "h3-reference";
  readonly input: H3ReferenceInput;
  readonly platform?: JobPlatform;
  readonly in_app_username?: JobInAppUsername;
  readonly agreed?: JobAgreed;
  readonly metadata?: JobMetadata;
  readonly webhook?: JobWebhook;
};
export type Vid3Job = {
  readonly operation: "vid3";
  readonly input: Vid3Input;
  readonly platform?: JobPlatform;
  readonly in_app_username?: JobInAppUsername;
  readonly agreed?: JobAgreed;
  readonly metadata?: JobMetadata;
  readonly webhook?: JobWebhook;
};
export type ImageEditJob = {
  readonly operation: "image-edit";
  readonly input: ImageEditInput;
  readonly platform?: JobPlatform;
  readonly in_app_username?: JobInAppUsername;
  readonly agreed?: JobAgreed;
  readonly metadata?: JobMetadata;
  readonly webhook?: JobWebhook;
};
export type InpaintJob = {
  readonly operation: "inpaint";
  readonly input: InpaintInput;
  readonly platform?: JobPlatform;
  readonly in_app_username?: JobInAppUsername;
  readonly agreed?: JobAgreed;
  readonly metadata?: JobMetadata;
  readonly webhook?: JobWebhook;
};
export type ImageJob = {
  readonly operation: "image";
  readonly input: ImageInput;
  readonly platform?: JobPlatform;
  readonly in_app_username?: JobInAppUsername;
  readonly agreed?: JobAgreed;
  readonly metadata?: JobMetadata;
  readonly webhook?: JobWebhook;
};
export type ImgproEditJob = {
  readonly operation: "imgpro-edit";
  readonly input: ImgproEditInput;
  readonly platform?: JobPlatform;
  readonly in_app_username?: JobInAppUsername;
  readonly agreed?: JobAgreed;
  readonly metadata?: JobMetadata;
  readonly webhook?: JobWebhook;
};
export type ImgproReferenceJob = {
  readonly operation: "imgpro-reference";
  readonly input: ImgproReferenceInput;
  readonly platform?: JobPlatform;
  readonly in_app_username?: JobInAppUsername;
  readonly agreed?: JobAgreed;
  readonly metadata?: JobMetadata;
  readonly webhook?: JobWebhook;
};
export type FaceswapJob = {
  readonly operation: "faceswap";
  readonly input: FaceswapInput;
  readonly platform?: JobPlatform;
  readonly in_app_username?: JobInAppUsername;
  readonly agreed?: JobAgreed;
  readonly metadata?: JobMetadata;
  readonly webhook?: JobWebhook;
};
export type NewQuote = (VideoQuote | VideoAudioQuote | H3ImageQuote | H3TextQuote | H3ReferenceQuote | Vid3Quote | ImageEditQuote | InpaintQuote | ImageQuote | ImgproEditQuote | ImgproReferenceQuote | FaceswapQuote);
export type VideoQuote = { readonly operation: "video"; readonly input: VideoInput; };
export type VideoAudioQuote = { readonly operation: "video-audio"; readonly input: VideoAudioInput; };
export type H3ImageQuote = { readonly operation: "h3-image"; readonly input: H3ImageInput; };
export type H3TextQuote = { readonly operation: "h3-text"; readonly input: H3TextInput; };
export type H3ReferenceQuote = { readonly operation: "h3-reference"; readonly input: H3ReferenceInput; };
export type Vid3Quote = { readonly operation: "vid3"; readonly input: Vid3Input; };
export type ImageEditQuote = { readonly operation: "image-edit"; readonly input: ImageEditInput; };
export type InpaintQuote = { readonly operation: "inpaint"; readonly input: InpaintInput; };
export type ImageQuote = { readonly operation: "image"; readonly input: ImageInput; };
export type ImgproEditQuote = { readonly operation: "imgpro-edit"; readonly input: ImgproEditInput; };
export type ImgproReferenceQuote = {
  readonly operation: "imgpro-reference";
  readonly input: ImgproReferenceInput;
};
export type FaceswapQuote = { readonly operation: "faceswap"; readonly input: FaceswapInput; };
