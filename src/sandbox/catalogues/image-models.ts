import type { PaletteName } from "../render/pictures/palettes.ts";
import type { SceneName } from "../render/pictures/scenes.ts";

/** An image model (section 2.9), with what only the service itself knows of it. */
export interface ImageModel {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** Can be given as `lora_template`: its palette then replaces that of the model. */
  readonly lora?: true;
  readonly scene: SceneName;
  readonly palette: PaletteName;
}

/** Every image model, of both hosts. */
export const IMAGE_MODELS: readonly ImageModel[] = [
  {
    id: "Default",
    name: "Default",
    description: "Balanced: a scene with depth, for any prompt.",
    scene: "hills",
    palette: "dusk",
  },
  {
    id: "hill-country",
    name: "Hill country",
    description: "Rolling hills, one behind the other.",
    scene: "hills",
    palette: "meadow",
  },
  {
    id: "desert-light",
    name: "Desert light",
    description: "Warm dunes under a large sun.",
    scene: "hills",
    palette: "ember",
  },
  {
    id: "far-north",
    name: "Far north",
    description: "Snowfields and a pale sky.",
    scene: "hills",
    palette: "ice",
  },
  {
    id: "open-sea",
    name: "Open sea",
    description: "Waves up to the horizon.",
    scene: "waves",
    palette: "lagoon",
  },
  {
    id: "night-harbour",
    name: "Night harbour",
    description: "Dark water that catches lights.",
    scene: "waves",
    palette: "night",
  },
  { id: "silk", name: "Silk", description: "Flowing bands of cloth.", scene: "waves", palette: "rose" },
  {
    id: "low-poly",
    name: "Low poly",
    description: "Everything out of triangles.",
    scene: "facets",
    palette: "meadow",
  },
  {
    id: "stained-glass",
    name: "Stained glass",
    description: "Bright glass, dark lead.",
    scene: "facets",
    palette: "carnival",
  },
  {
    id: "crystal",
    name: "Crystal",
    description: "Cold facets with sharp edges.",
    scene: "facets",
    palette: "ice",
  },
  {
    id: "poster",
    name: "Poster",
    description: "Rays and flat colours, as printed in the thirties.",
    scene: "rays",
    palette: "ember",
  },
  {
    id: "comic-burst",
    name: "Comic burst",
    description: "Loud colours and speed lines.",
    scene: "rays",
    palette: "carnival",
  },
  {
    id: "dawn-rays",
    name: "Dawn rays",
    description: "The first light, from below.",
    scene: "rays",
    palette: "dusk",
  },
  {
    id: "deep-space",
    name: "Deep space",
    description: "Planets, rings and far stars.",
    scene: "planets",
    palette: "night",
  },
  {
    id: "toy-cosmos",
    name: "Toy cosmos",
    description: "A small universe in sweet colours.",
    scene: "planets",
    palette: "carnival",
  },
  {
    id: "cloud-painter",
    name: "Cloud painter",
    description: "Soft discs, like wet watercolour.",
    scene: "discs",
    palette: "rose",
  },
  {
    id: "macro-garden",
    name: "Macro garden",
    description: "Blurred greens, as seen very close.",
    scene: "discs",
    palette: "meadow",
  },
  {
    id: "city-bokeh",
    name: "City bokeh",
    description: "Street lights out of focus.",
    scene: "discs",
    palette: "night",
  },
  {
    id: "lora-sunset",
    name: "Sunset colours",
    description: "Turns any model's colours into a sunset.",
    lora: true,
    scene: "hills",
    palette: "ember",
  },
  {
    id: "lora-frost",
    name: "Frost colours",
    description: "Turns any model's colours cold.",
    lora: true,
    scene: "hills",
    palette: "ice",
  },
  {
    id: "lora-lagoon",
    name: "Lagoon colours",
    description: "Turquoise, for any model.",
    lora: true,
    scene: "hills",
    palette: "lagoon",
  },
  {
    id: "lora-noir",
    name: "Noir",
    description: "Black and white with hard contrast, for any model.",
    lora: true,
    scene: "hills",
    palette: "ink",
  },
  {
    id: "lora-candy",
    name: "Candy colours",
    description: "Sweet colours, for any model.",
    lora: true,
    scene: "hills",
    palette: "carnival",
  },
];

/** An image model as the catalogue shows it (section 2.9). */
export function publicImageModel({ id, name, description, lora }: ImageModel) {
  return { id, name, description, type: "image", has_lora: lora ?? false };
}
