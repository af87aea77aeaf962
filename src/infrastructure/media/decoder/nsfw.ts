import { createRequire } from "node:module";
import { dirname, sep } from "node:path";
import * as tf from "@tensorflow/tfjs";
import { setWasmPaths } from "@tensorflow/tfjs-backend-wasm";
import { load as loadModel } from "nsfwjs/core";
import { MobileNetV2Model } from "nsfwjs/models/mobilenet_v2";
import { type Classify, SIDE } from "./model.ts";

/** Loads the model that comes with nsfwjs: nothing is fetched from anywhere. */
export async function load(): Promise<Classify> {
  const backend = createRequire(import.meta.url).resolve("@tensorflow/tfjs-backend-wasm");
  setWasmPaths(dirname(backend) + sep);
  if (!(await tf.setBackend("wasm"))) throw new Error("No WebAssembly");
  await tf.ready();
  const model = await loadModel("MobileNetV2", { modelDefinitions: [MobileNetV2Model] });
  return async (pixels) => {
    const tensor = tf.tensor3d(pixels, [SIDE, SIDE, 3], "int32");
    try {
      const classes = await model.classify(tensor);
      return Object.fromEntries(classes.map(({ className, probability }) => [className, probability]));
    } finally {
      tensor.dispose();
    }
  };
}
