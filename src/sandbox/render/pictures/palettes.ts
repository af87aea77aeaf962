/** Colours of a drawn picture, from its background to what stands out. */
export interface Palette {
  /** The sky, from above to the horizon. */
  readonly sky: readonly [top: string, bottom: string];
  /** From far to near. */
  readonly layers: readonly string[];
  /** Sun, stars and whatever shines. */
  readonly light: string;
}

const PALETTES = {
  dusk: {
    sky: ["#28265c", "#f2a07b"],
    layers: ["#b7728f", "#7f568c", "#54407a", "#2f2a5e"],
    light: "#ffe3a8",
  },
  meadow: {
    sky: ["#7cc4ea", "#eaf6d8"],
    layers: ["#b3d58c", "#7fb769", "#4f9455", "#2c6b46"],
    light: "#fff7c2",
  },
  ember: {
    sky: ["#5c1a2e", "#ffb35c"],
    layers: ["#e8793f", "#c4512f", "#8f3129", "#541d26"],
    light: "#ffe9b0",
  },
  ice: {
    sky: ["#88a9cf", "#f3f8fc"],
    layers: ["#d5e4f1", "#abc8e0", "#7a9fc4", "#4b719d"],
    light: "#ffffff",
  },
  lagoon: {
    sky: ["#0f7f9f", "#c9f4e6"],
    layers: ["#6fd6cb", "#35b1b4", "#1b8298", "#0e5373"],
    light: "#fdf6c4",
  },
  night: {
    sky: ["#070a24", "#2b3a6e"],
    layers: ["#35457f", "#273366", "#1a224a", "#0d1230"],
    light: "#ffe8a3",
  },
  rose: {
    sky: ["#f6b8c8", "#fff0e8"],
    layers: ["#f095b0", "#d76c94", "#a84a7c", "#6f3262"],
    light: "#fffbe6",
  },
  carnival: {
    sky: ["#3d2c8d", "#ff8fb1"],
    layers: ["#ffd166", "#06d6a0", "#4cc9f0", "#ef476f"],
    light: "#ffffff",
  },
  ink: {
    sky: ["#1a1a1d", "#e6e6e6"],
    layers: ["#b5b5b8", "#77777c", "#434348", "#17171a"],
    light: "#ffffff",
  },
} as const satisfies Record<string, Palette>;

/** A palette's name. */
export type PaletteName = keyof typeof PALETTES;

/** Words of a prompt that ask for a palette. */
const WORDS: readonly (readonly [RegExp, PaletteName])[] = [
  [/\b(night|moon|stars?|midnight)\b/, "night"],
  [/\b(snow|ice|winter|frost)\b/, "ice"],
  [/\b(sea|ocean|beach|lake|water)\b/, "lagoon"],
  [/\b(sunset|fire|desert|autumn)\b/, "ember"],
  [/\b(forest|meadow|garden|spring|green)\b/, "meadow"],
  [/\b(flowers?|blossoms?|rose|pink|love)\b/, "rose"],
];

/** A palette by its name. */
export function palette(name: PaletteName): Palette {
  return PALETTES[name];
}

/** The palette that a prompt asks for, if it names one. */
export function paletteForPrompt(prompt: string): PaletteName | undefined {
  const lower = prompt.toLowerCase();
  return WORDS.find(([words]) => words.test(lower))?.[1];
}
