/** What of these optional packages is used: whoever has not switched the classifier on has not installed them. */
declare module "nsfwjs/core" {
  import type { Tensor } from "@tensorflow/tfjs";
  interface Model {
    classify(picture: Tensor): Promise<readonly { className: string; probability: number }[]>;
  }
  export function load(
    name: string,
    options: { readonly modelDefinitions: readonly unknown[] },
  ): Promise<Model>;
}

declare module "nsfwjs/models/mobilenet_v2" {
  export const MobileNetV2Model: unknown;
}

declare module "@tensorflow/tfjs" {
  export interface Tensor {
    dispose(): void;
  }
  export function setBackend(name: string): Promise<boolean>;
  export function ready(): Promise<void>;
  export function tensor3d(values: Uint8Array, shape: readonly number[], type: "int32"): Tensor;
}

declare module "@tensorflow/tfjs-backend-wasm" {
  export function setWasmPaths(folder: string): void;
}
