import { type MediaApi, REQUESTS } from "../../../src/infrastructure/api/media-api.ts";
import { bodyOf, type Material } from "./probes.ts";
import { type Endpoint, ENDPOINTS } from "./table.ts";

type Name = keyof typeof ENDPOINTS;

/** Calls of the client, one for each endpoint, with the least that it requires. */
export type Calls = Readonly<Record<Name, (api: MediaApi, id: string) => Promise<unknown>>>;

/** @param material what requests are filled with */
export function callsWith(material: Material): Calls {
  const body = (name: Name) => {
    const { body: fields = {} }: Endpoint = ENDPOINTS[name];
    return bodyOf(name, fields, material);
  };
  return {
    info: (api) => api.info(),
    balance: (api) => api.balance(),
    tokens: (api) => api.tokens(),
    templates: (api) => api.templates(),
    rawTemplates: (api) => api.rawTemplates(),
    imageModels: (api) => api.imageModels(),
    imageEditTemplates: (api) => api.imageEditTemplates(),
    h3Templates: (api) => api.h3Templates(),
    registerTemplate: (api) =>
      api.registerTemplate(REQUESTS.registerTemplate.parse(body("registerTemplate"))),
    registerH3Template: (api) =>
      api.registerH3Template(REQUESTS.registerH3Template.parse(body("registerH3Template"))),
    generateVideo: (api) => api.generateVideo(REQUESTS.generateVideo.parse(body("generateVideo"))),
    generateVideoAudio: (api) =>
      api.generateVideoAudio(REQUESTS.generateVideoAudio.parse(body("generateVideoAudio"))),
    generateImageEdit: (api) =>
      api.generateImageEdit(REQUESTS.generateImageEdit.parse(body("generateImageEdit"))),
    generateImage: (api) => api.generateImage(REQUESTS.generateImage.parse(body("generateImage"))),
    generateH3: (api) => api.generateH3(REQUESTS.generateH3.parse(body("generateH3"))),
    h3Job: (api, id) => api.h3Job(id),
    generateVid3: (api) => api.generateVid3(REQUESTS.generateVid3.parse(body("generateVid3"))),
    vid3Job: (api, id) => api.vid3Job(id),
    vid3Video: (api, id) => api.vid3Video(id),
    generateImgproEdit: (api) =>
      api.generateImgproEdit(REQUESTS.generateImgproEdit.parse(body("generateImgproEdit"))),
    generateImgproReference: (api) =>
      api.generateImgproReference(REQUESTS.generateImgproReference.parse(body("generateImgproReference"))),
    imgproJob: (api, id) => api.imgproJob(id),
    imgproImage: (api, id) => api.imgproImage(id),
    generateFaceswap: (api) =>
      api.generateFaceswap(REQUESTS.generateFaceswap.parse(body("generateFaceswap"))),
    faceswapJob: (api, id) => api.faceswapJob(id),
    encodeMask: (api) => api.encodeMask(REQUESTS.encodeMask.parse(body("encodeMask"))),
    generateInpaint: (api) => api.generateInpaint(REQUESTS.generateInpaint.parse(body("generateInpaint"))),
    job: (api, id) => api.job(id),
    jobs: (api) => api.jobs(),
    stats: (api) => api.stats(),
    jobSettings: (api, id) => api.jobSettings(id),
    deleteAllJobs: (api) => api.deleteAllJobs(),
    deleteVideoJob: (api, id) => api.deleteVideoJob(id),
    deleteImageJob: (api, id) => api.deleteImageJob(id),
    deleteImageEditJob: (api, id) => api.deleteImageEditJob(id),
    deleteFaceswapJob: (api, id) => api.deleteFaceswapJob(id),
    deleteVideoAudioJob: (api, id) => api.deleteVideoAudioJob(id),
    deleteH3Job: (api, id) => api.deleteH3Job(id),
    deleteVid3Job: (api, id) => api.deleteVid3Job(id),
    deleteUpscaleJob: (api, id) => api.deleteUpscaleJob(id),
  };
}
