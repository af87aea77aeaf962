import type { CategoryEntry } from "./template.ts";

/** Harmless evenings; a category that the primary host's catalogue leaves out. */
export const AFTER_DARK: readonly CategoryEntry[] = [
  {
    id: "wine-evening",
    name: "Wine evening",
    age: 132,
    uses: 1210,
    mature: true,
    description: "Candles, glasses, long conversations.",
    prompt: "candlelit wine evening among friends",
    look: { move: "drift", tone: "golden", particles: "bokeh" },
    variants: [
      {
        id: "wine-evening-quiet",
        name: "Quiet",
        prompt: "quiet candlelit evening",
        look: { particles: "fireflies" },
      },
    ],
  },
  {
    id: "casino-lights",
    name: "Casino lights",
    age: 115,
    uses: 980,
    mature: true,
    description: "Neon, chips and one last round.",
    prompt: "casino lights, neon reflections",
    look: { move: "sway", tone: "rose", particles: "stars" },
  },
  {
    id: "city-at-two",
    name: "City at two",
    age: 70,
    uses: 1533,
    description: "The streets belong to the taxis.",
    prompt: "empty city street at two in the morning",
    look: { move: "pan-left", tone: "night", particles: "rain" },
  },
  {
    id: "jazz-cellar",
    name: "Jazz cellar",
    age: 28,
    uses: 611,
    mature: true,
    description: "Smoke, brass and low light.",
    prompt: "jazz cellar, low light, black and white",
    look: { move: "handheld", tone: "noir", grain: true },
  },
];
