"""What is asked for. Made from the OpenAPI document by `npm run docs:client`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

#: An https address, a data URI or base64; a file of the disk, which is read as it is sent; or its content.
File: TypeAlias = str | Path | bytes


class VideoInput(TypedDict):
    image: File
    prompt: NotRequired[str]
    template: NotRequired[str]
    sub_template: NotRequired[str]
    duration: NotRequired[int]
    orientation: NotRequired[Literal["portrait", "landscape", "square"]]
    video_quality: NotRequired[Literal["legacy", "new"]]
    end_image: NotRequired[File]
    steps: NotRequired[Literal[4, 6, 8]]
    cfg: NotRequired[float]
    seed: NotRequired[int]
    negative_prompt: NotRequired[str]
    auto_upscale: NotRequired[bool]


class VideoAudioInput(TypedDict):
    image: NotRequired[File]
    prompt: str
    template: NotRequired[str]
    duration: NotRequired[int]
    width: NotRequired[int]
    height: NotRequired[int]
    frame_rate: NotRequired[Literal[16, 25]]
    negative_prompt: NotRequired[str]


class H3ImageInput(TypedDict):
    image: File
    prompt: str
    duration: NotRequired[int]
    aspect_ratio: NotRequired[Literal["16:9", "9:16", "1:1", "4:3", "3:4", "21:9"]]
    megapixels: NotRequired[float]
    turbo_mode: NotRequired[bool]
    seed: NotRequired[int]
    template: NotRequired[str]
    sub_template: NotRequired[str]


class H3TextInput(TypedDict):
    prompt: str
    duration: NotRequired[int]
    aspect_ratio: NotRequired[Literal["16:9", "9:16", "1:1", "4:3", "3:4", "21:9"]]
    megapixels: NotRequired[float]
    turbo_mode: NotRequired[bool]
    seed: NotRequired[int]


class H3ReferenceInput(TypedDict):
    images: Sequence[File]
    prompt: str
    duration: NotRequired[int]
    aspect_ratio: NotRequired[Literal["16:9", "9:16", "1:1", "4:3", "3:4", "21:9"]]
    megapixels: NotRequired[float]
    turbo_mode: NotRequired[bool]
    seed: NotRequired[int]
    template: NotRequired[str]
    sub_template: NotRequired[str]
    realism_lora: NotRequired[bool]


class Vid3Input(TypedDict):
    images: Sequence[File]
    prompt: str
    duration: NotRequired[int]
    size: NotRequired[Literal["480p", "720p", "1080p"]]
    aspect_ratio: NotRequired[Literal["16:9", "9:16", "1:1", "4:3", "3:4"]]
    audio_enable: NotRequired[bool]
    audios: NotRequired[Sequence[File]]
    prompt_expansion_enable: NotRequired[bool]
    seed: NotRequired[int]


class ImageEditInput(TypedDict):
    images: Sequence[File]
    prompt: NotRequired[str]
    template: NotRequired[str]
    v2_mode: NotRequired[Literal["fast", "quality"]]
    model: NotRequired[Literal["model_a", "model_b"]]
    guidance: NotRequired[float]
    width: NotRequired[int]
    height: NotRequired[int]
    seed: NotRequired[int]


class InpaintInput(TypedDict):
    image: File
    mask: File
    prompt: str
    negative_prompt: NotRequired[str]
    steps: NotRequired[int]
    cfg: NotRequired[float]
    seed: NotRequired[int]


class ImageInput(TypedDict):
    prompt: str
    model: NotRequired[str]
    style: NotRequired[str]
    width: NotRequired[int]
    height: NotRequired[int]
    guidance: NotRequired[float]
    steps: NotRequired[int]
    seed: NotRequired[int]


class ImgproEditInput(TypedDict):
    images: Sequence[File]
    prompt: NotRequired[str]
    template: NotRequired[str]
    size: NotRequired[Literal["1024x1024", "1536x1024", "1024x1536", "2048x2048", "2304x1728", "1728x2304", "2560x1440", "1440x2560"]]
    output_format: NotRequired[Literal["jpg", "png"]]


class ImgproReferenceInput(TypedDict):
    images: Sequence[File]
    prompt: str
    size: NotRequired[Literal["2048x2048", "2304x1728", "1728x2304", "2560x1440", "1440x2560"]]


class FaceswapInput(TypedDict):
    target: File
    source: File


NewJob: TypeAlias = "VideoJob | VideoAudioJob | H3ImageJob | H3TextJob | H3ReferenceJob | Vid3Job | ImageEditJob | InpaintJob | ImageJob | ImgproEditJob | ImgproReferenceJob | FaceswapJob"


JobPlatform: TypeAlias = "str"


JobInAppUsername: TypeAlias = "str"


JobAgreed: TypeAlias = "Sequence[Literal[\"terms\", \"consent\", \"faces\", \"adult\"]]"


JobMetadata: TypeAlias = "Mapping[str, Any]"


class JobWebhookObject(TypedDict):
    url: str
    events: NotRequired[Sequence[Literal["job.progress", "job.completed", "job.failed", "job.cancelled"]]]


JobWebhook: TypeAlias = "str | JobWebhookObject"


class VideoJob(TypedDict):
    operation: Literal["video"]
    input: VideoInput
    platform: NotRequired[JobPlatform]
    in_app_username: NotRequired[JobInAppUsername]
    agreed: NotRequired[JobAgreed]
    metadata: NotRequired[JobMetadata]
    webhook: NotRequired[JobWebhook]


class VideoAudioJob(TypedDict):
    operation: Literal["video-audio"]
    input: VideoAudioInput
    platform: NotRequired[JobPlatform]
    in_app_username: NotRequired[JobInAppUsername]
    agreed: NotRequired[JobAgreed]
    metadata: NotRequired[JobMetadata]
    webhook: NotRequired[JobWebhook]


class H3ImageJob(TypedDict):
    operation: Literal["h3-image"]
    input: H3ImageInput
    platform: NotRequired[JobPlatform]
    in_app_username: NotRequired[JobInAppUsername]
    agreed: NotRequired[JobAgreed]
    metadata: NotRequired[JobMetadata]
    webhook: NotRequired[JobWebhook]


class H3TextJob(TypedDict):
    operation: Literal["h3-text"]
    input: H3TextInput
    platform: NotRequired[JobPlatform]
    in_app_username: NotRequired[JobInAppUsername]
    agreed: NotRequired[JobAgreed]
    metadata: NotRequired[JobMetadata]
    webhook: NotRequired[JobWebhook]


class H3ReferenceJob(TypedDict):
    operation: Literal["h3-reference"]
    input: H3ReferenceInput
    platform: NotRequired[JobPlatform]
    in_app_username: NotRequired[JobInAppUsername]
    agreed: NotRequired[JobAgreed]
    metadata: NotRequired[JobMetadata]
    webhook: NotRequired[JobWebhook]


class Vid3Job(TypedDict):
    operation: Literal["vid3"]
    input: Vid3Input
    platform: NotRequired[JobPlatform]
    in_app_username: NotRequired[JobInAppUsername]
    agreed: NotRequired[JobAgreed]
    metadata: NotRequired[JobMetadata]
    webhook: NotRequired[JobWebhook]


class ImageEditJob(TypedDict):
    operation: Literal["image-edit"]
    input: ImageEditInput
    platform: NotRequired[JobPlatform]
    in_app_username: NotRequired[JobInAppUsername]
    agreed: NotRequired[JobAgreed]
    metadata: NotRequired[JobMetadata]
    webhook: NotRequired[JobWebhook]


class InpaintJob(TypedDict):
    operation: Literal["inpaint"]
    input: InpaintInput
    platform: NotRequired[JobPlatform]
    in_app_username: NotRequired[JobInAppUsername]
    agreed: NotRequired[JobAgreed]
    metadata: NotRequired[JobMetadata]
    webhook: NotRequired[JobWebhook]


class ImageJob(TypedDict):
    operation: Literal["image"]
    input: ImageInput
    platform: NotRequired[JobPlatform]
    in_app_username: NotRequired[JobInAppUsername]
    agreed: NotRequired[JobAgreed]
    metadata: NotRequired[JobMetadata]
    webhook: NotRequired[JobWebhook]


class ImgproEditJob(TypedDict):
    operation: Literal["imgpro-edit"]
    input: ImgproEditInput
    platform: NotRequired[JobPlatform]
    in_app_username: NotRequired[JobInAppUsername]
    agreed: NotRequired[JobAgreed]
    metadata: NotRequired[JobMetadata]
    webhook: NotRequired[JobWebhook]


class ImgproReferenceJob(TypedDict):
    operation: Literal["imgpro-reference"]
    input: ImgproReferenceInput
    platform: NotRequired[JobPlatform]
    in_app_username: NotRequired[JobInAppUsername]
    agreed: NotRequired[JobAgreed]
    metadata: NotRequired[JobMetadata]
    webhook: NotRequired[JobWebhook]


class FaceswapJob(TypedDict):
    operation: Literal["faceswap"]
    input: FaceswapInput
    platform: NotRequired[JobPlatform]
    in_app_username: NotRequired[JobInAppUsername]
    agreed: NotRequired[JobAgreed]
    metadata: NotRequired[JobMetadata]
    webhook: NotRequired[JobWebhook]


NewQuote: TypeAlias = "VideoQuote | VideoAudioQuote | H3ImageQuote | H3TextQuote | H3ReferenceQuote | Vid3Quote | ImageEditQuote | InpaintQuote | ImageQuote | ImgproEditQuote | ImgproReferenceQuote | FaceswapQuote"


class VideoQuote(TypedDict):
    operation: Literal["video"]
    input: VideoInput


class VideoAudioQuote(TypedDict):
    operation: Literal["video-audio"]
    input: VideoAudioInput


class H3ImageQuote(TypedDict):
    operation: Literal["h3-image"]
    input: H3ImageInput


class H3TextQuote(TypedDict):
    operation: Literal["h3-text"]
    input: H3TextInput


class H3ReferenceQuote(TypedDict):
    operation: Literal["h3-reference"]
    input: H3ReferenceInput


class Vid3Quote(TypedDict):
    operation: Literal["vid3"]
    input: Vid3Input


class ImageEditQuote(TypedDict):
    operation: Literal["image-edit"]
    input: ImageEditInput


class InpaintQuote(TypedDict):
    operation: Literal["inpaint"]
    input: InpaintInput


class ImageQuote(TypedDict):
    operation: Literal["image"]
    input: ImageInput


class ImgproEditQuote(TypedDict):
    operation: Literal["imgpro-edit"]
    input: ImgproEditInput


class ImgproReferenceQuote(TypedDict):
    operation: Literal["imgpro-reference"]
    input: ImgproReferenceInput


class FaceswapQuote(TypedDict):
    operation: Literal["faceswap"]
    input: FaceswapInput
