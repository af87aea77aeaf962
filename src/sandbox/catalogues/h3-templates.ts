import type { Variant } from "../templates/template.ts";
import type { Look } from "../render/drawing/looks.ts";
import { releaseDate } from "../templates/dates.ts";

/** An H3 reference-to-video template (section 2.11), with what only the service itself knows of it. */
export interface H3Template {
  readonly id: string;
  readonly name: string;
  readonly category: string;
  readonly prompt: string;
  /** How long it had been out on the catalogue's date, in days. */
  readonly age: number;
  /** How often it had been used before this sandbox began to count. */
  readonly uses: number;
  /** Needs a subscription. */
  readonly premium?: true;
  /** A boss account registered it: the catalogue then shows `is_mature` and `release_date`. */
  readonly registered?: true;
  readonly mature?: boolean;
  readonly look: Look;
  readonly variants?: readonly Variant[];
}

/** The H3 templates that every sandbox has. */
export const H3_TEMPLATES: readonly H3Template[] = [
  {
    id: "h3-slow-portrait",
    name: "Slow portrait",
    category: "Portrait",
    prompt: "slow portrait, the camera comes closer, soft light",
    age: 200,
    uses: 8120,
    look: { move: "zoom-in", tone: "warm" },
    variants: [
      {
        id: "h3-slow-portrait-cool",
        name: "Cool",
        prompt: "slow portrait, cool light",
        look: { tone: "cool" },
      },
      {
        id: "h3-slow-portrait-mono",
        name: "Black and white",
        prompt: "slow portrait in black and white",
        look: { tone: "mono" },
      },
    ],
  },
  {
    id: "h3-turning-head",
    name: "Turning head",
    category: "Portrait",
    prompt: "the person turns their head towards the light",
    age: 184,
    uses: 4410,
    look: { move: "orbit" },
  },
  {
    id: "h3-studio-walk",
    name: "Studio walk",
    category: "Portrait",
    prompt: "walking through a photo studio, even light",
    age: 150,
    uses: 2903,
    look: { move: "handheld" },
  },
  {
    id: "h3-magazine-cover",
    name: "Magazine cover",
    category: "Portrait",
    prompt: "a magazine cover comes to life, bold colours",
    age: 92,
    uses: 1877,
    premium: true,
    look: { move: "zoom-out", tone: "vivid", finish: "border" },
  },
  {
    id: "h3-city-stroll",
    name: "City stroll",
    category: "Places",
    prompt: "a stroll through a busy street, shallow depth",
    age: 171,
    uses: 5230,
    look: { move: "pan-right", tone: "teal" },
    variants: [
      {
        id: "h3-city-stroll-night",
        name: "By night",
        prompt: "a stroll through the city by night",
        look: { tone: "night", particles: "bokeh" },
      },
      {
        id: "h3-city-stroll-rain",
        name: "In the rain",
        prompt: "a stroll through the rainy city",
        look: { particles: "rain" },
      },
    ],
  },
  {
    id: "h3-beach-run",
    name: "Beach run",
    category: "Places",
    prompt: "running along the beach at sunset",
    age: 160,
    uses: 3644,
    look: { move: "pan-left", tone: "golden" },
  },
  {
    id: "h3-mountain-top",
    name: "Mountain top",
    category: "Places",
    prompt: "standing on a summit, the camera rises",
    age: 118,
    uses: 2720,
    look: { move: "pan-up", tone: "vivid" },
  },
  {
    id: "h3-forest-path",
    name: "Forest path",
    category: "Places",
    prompt: "a path through the woods, leaves falling",
    age: 104,
    uses: 2051,
    look: { move: "drift", particles: "leaves" },
  },
  {
    id: "h3-old-harbour",
    name: "Old harbour",
    category: "Places",
    prompt: "an old harbour, boats rocking, gulls",
    age: 61,
    uses: 990,
    look: { move: "sway", tone: "faded" },
  },
  {
    id: "h3-space-walk",
    name: "Space walk",
    category: "Fantasy",
    prompt: "floating in space, stars all around",
    age: 140,
    uses: 4106,
    look: { move: "drift", tone: "cool", particles: "stars" },
  },
  {
    id: "h3-underwater-city",
    name: "Underwater city",
    category: "Fantasy",
    prompt: "a city under water, rising bubbles",
    age: 112,
    uses: 1822,
    premium: true,
    look: { move: "pan-down", tone: "cool", particles: "bubbles" },
  },
  {
    id: "h3-paper-world",
    name: "Paper world",
    category: "Fantasy",
    prompt: "everything is folded out of paper",
    age: 75,
    uses: 1540,
    look: { move: "crash-zoom", tone: "dream" },
  },
  {
    id: "h3-snow-globe",
    name: "Snow globe",
    category: "Fantasy",
    prompt: "inside a snow globe, falling snow",
    age: 33,
    uses: 1266,
    look: { move: "orbit", particles: "snow", finish: "vignette" },
  },
  {
    id: "h3-dragon-rider",
    name: "Dragon rider",
    category: "Fantasy",
    prompt: "riding a friendly dragon over the clouds",
    age: 12,
    uses: 720,
    premium: true,
    look: { move: "roll", tone: "teal", particles: "embers" },
  },
  {
    id: "h3-birthday",
    name: "Birthday",
    category: "Occasions",
    prompt: "a birthday cake, candles, confetti",
    age: 133,
    uses: 3318,
    look: { move: "pulse", tone: "warm", particles: "confetti" },
    variants: [
      {
        id: "h3-birthday-hearts",
        name: "With hearts",
        prompt: "a birthday cake, candles, hearts",
        look: { particles: "hearts" },
      },
    ],
  },
  {
    id: "h3-wedding-dance",
    name: "Wedding dance",
    category: "Occasions",
    prompt: "a first dance, petals in the air",
    age: 99,
    uses: 2214,
    look: { move: "orbit", tone: "rose", particles: "petals" },
  },
  {
    id: "h3-new-year",
    name: "New Year",
    category: "Occasions",
    prompt: "midnight, sparks and good wishes",
    age: 45,
    uses: 1408,
    look: { move: "zoom-out", tone: "night", particles: "embers" },
  },
  {
    id: "h3-silent-film",
    name: "Silent film",
    category: "Film",
    prompt: "a silent film, flickering black and white",
    age: 88,
    uses: 1699,
    look: { move: "handheld", tone: "mono", grain: true, finish: "letterbox" },
  },
  {
    id: "h3-car-chase",
    name: "Car chase",
    category: "Film",
    prompt: "a car chase through narrow streets",
    age: 52,
    uses: 1377,
    premium: true,
    look: { move: "crash-zoom", tone: "teal", finish: "letterbox" },
  },
  {
    id: "h3-nature-film",
    name: "Nature film",
    category: "Film",
    prompt: "a calm nature documentary",
    age: 40,
    uses: 866,
    look: { move: "pan-right", tone: "natural" },
  },
  {
    id: "h3-ink-drawing",
    name: "Ink drawing",
    category: "Styles",
    prompt: "an ink drawing that moves",
    age: 26,
    uses: 604,
    registered: true,
    look: { move: "zoom-in", tone: "noir" },
  },
  {
    id: "h3-oil-painting",
    name: "Oil painting",
    category: "Styles",
    prompt: "an oil painting that breathes",
    age: 19,
    uses: 533,
    registered: true,
    look: { move: "pulse", tone: "golden" },
  },
  {
    id: "h3-night-club",
    name: "Night club",
    category: "Styles",
    prompt: "a night club, coloured light, dancing",
    age: 9,
    uses: 411,
    registered: true,
    mature: true,
    look: { move: "sway", tone: "rose", particles: "bokeh" },
  },
  {
    id: "h3-ghost-train",
    name: "Ghost train",
    category: "Styles",
    prompt: "a ride on a ghost train, cold light",
    age: 5,
    uses: 288,
    premium: true,
    registered: true,
    mature: true,
    look: { move: "zoom-in", tone: "night", finish: "vignette" },
  },
];

/**
 * An H3 template as the catalogue shows it (section 2.11); the contract lets a request choose a sub-template,
 * but shows no list of them: they are in `sub_templates`, as a video template's are.
 * @param used how often it was used here
 */
export function publicH3Template(template: H3Template, used: number) {
  const { id, name, category, prompt, uses, registered, mature = false, age, variants } = template;
  return {
    id,
    name,
    category,
    prompt,
    usage_count: uses + used,
    ...(registered && { is_mature: mature, release_date: releaseDate(age) }),
    ...(variants && { sub_templates: variants.map(({ id, name, prompt }) => ({ id, name, prompt })) }),
  };
}
