import type { Treatment } from "../render/pictures/treatment.ts";

/** An image-edit template (section 2.10), with what only the service itself knows of it. */
export interface ImageEditTemplate {
  readonly id: string;
  readonly name: string;
  readonly category: string;
  readonly description: string;
  /** Filled in where a request has none; never shown. */
  readonly prompt: string;
  /** Needs a second picture. */
  readonly second?: true;
  /** Not shown on the primary host. */
  readonly mature?: true;
  /** How often it had been used before this sandbox began to count. */
  readonly uses: number;
  readonly treatment: Treatment;
}

/** Every image-edit template, of both hosts. */
export const IMAGE_EDIT_TEMPLATES: readonly ImageEditTemplate[] = [
  {
    id: "edit-golden-hour",
    name: "Golden hour",
    category: "Light",
    description: "The last warm hour of the day, on any photo.",
    prompt: "relight with golden hour sunlight",
    uses: 9310,
    treatment: { tone: "golden", particles: "bokeh" },
  },
  {
    id: "edit-blue-hour",
    name: "Blue hour",
    category: "Light",
    description: "Just after sunset.",
    prompt: "relight with blue hour twilight",
    uses: 4120,
    treatment: { tone: "cool" },
  },
  {
    id: "edit-moonlight",
    name: "Moonlight",
    category: "Light",
    description: "Night falls, with a few stars.",
    prompt: "turn day into a moonlit night",
    uses: 3877,
    treatment: { tone: "night", particles: "stars" },
  },
  {
    id: "edit-soft-glow",
    name: "Soft glow",
    category: "Light",
    description: "A gentle, dreamy glow.",
    prompt: "add a soft dreamy glow",
    uses: 5241,
    treatment: { tone: "dream" },
  },
  {
    id: "edit-film-noir",
    name: "Film noir",
    category: "Film",
    description: "Black and white with hard shadows.",
    prompt: "film noir, hard contrast",
    uses: 6032,
    treatment: { tone: "noir", finish: "vignette" },
  },
  {
    id: "edit-old-print",
    name: "Old print",
    category: "Film",
    description: "A paper print from an album, with its border.",
    prompt: "old paper print with a border",
    uses: 7420,
    treatment: { tone: "vintage", finish: "border" },
  },
  {
    id: "edit-faded-slide",
    name: "Faded slide",
    category: "Film",
    description: "A slide that lay in the sun.",
    prompt: "faded colour slide",
    uses: 2210,
    treatment: { tone: "faded" },
  },
  {
    id: "edit-wide-screen",
    name: "Wide screen",
    category: "Film",
    description: "Black bars and film colours.",
    prompt: "cinematic wide screen, teal shadows",
    uses: 5530,
    treatment: { tone: "teal", finish: "letterbox" },
  },
  {
    id: "edit-vivid",
    name: "Vivid",
    category: "Colour",
    description: "Colours turned up.",
    prompt: "vivid, saturated colours",
    uses: 3904,
    treatment: { tone: "vivid" },
  },
  {
    id: "edit-rose",
    name: "Rose tint",
    category: "Colour",
    description: "Everything through rose-coloured glasses.",
    prompt: "rose tint, gentle contrast",
    uses: 2755,
    treatment: { tone: "rose" },
  },
  {
    id: "edit-mono",
    name: "Black and white",
    category: "Colour",
    description: "Calm greys.",
    prompt: "neutral black and white",
    uses: 6218,
    treatment: { tone: "mono" },
  },
  {
    id: "edit-snow-day",
    name: "Snow day",
    category: "Weather",
    description: "It has begun to snow.",
    prompt: "falling snow, cold light",
    uses: 4466,
    treatment: { tone: "cool", particles: "snow" },
  },
  {
    id: "edit-rainy-window",
    name: "Rainy day",
    category: "Weather",
    description: "A shower passes through the picture.",
    prompt: "rain, muted colours",
    uses: 1988,
    treatment: { tone: "faded", particles: "rain" },
  },
  {
    id: "edit-autumn",
    name: "Autumn",
    category: "Weather",
    description: "Leaves are in the air.",
    prompt: "autumn light, falling leaves",
    uses: 3120,
    treatment: { tone: "warm", particles: "leaves" },
  },
  {
    id: "edit-confetti",
    name: "Confetti",
    category: "Occasions",
    description: "A party breaks out.",
    prompt: "confetti in the air, festive",
    uses: 4871,
    treatment: { tone: "vivid", particles: "confetti" },
  },
  {
    id: "edit-valentine",
    name: "Valentine",
    category: "Occasions",
    description: "Hearts rise.",
    prompt: "rising hearts, rose light",
    uses: 2640,
    treatment: { tone: "rose", finish: "vignette", particles: "hearts" },
  },
  {
    id: "edit-petals",
    name: "Petals",
    category: "Occasions",
    description: "Blossom drifts by.",
    prompt: "blossom petals in the wind",
    uses: 1702,
    treatment: { tone: "dream", particles: "petals" },
  },
  {
    id: "edit-double-exposure",
    name: "Double exposure",
    category: "Two photos",
    description: "Two photos become one.",
    prompt: "double exposure of both photos",
    second: true,
    uses: 5105,
    treatment: { tone: "faded" },
  },
  {
    id: "edit-day-and-night",
    name: "Day and night",
    category: "Two photos",
    description: "One photo by day, the other by night.",
    prompt: "one half by day, the other half by night",
    second: true,
    uses: 1850,
    treatment: { tone: "cool", particles: "stars" },
  },
  {
    id: "edit-then-and-now",
    name: "Then and now",
    category: "Two photos",
    description: "The same place, years apart.",
    prompt: "old print on one side, today on the other",
    second: true,
    uses: 2377,
    treatment: { tone: "vintage" },
  },
  {
    id: "edit-memory",
    name: "Memory",
    category: "Two photos",
    description: "A second photo shines through like a memory.",
    prompt: "the second photo as a faint memory",
    second: true,
    uses: 1466,
    treatment: { tone: "dream", finish: "vignette" },
  },
  {
    id: "edit-haunted-attic",
    name: "Haunted attic",
    category: "Film",
    description: "Something creaks. It is only the wind.",
    prompt: "spooky attic, cold light",
    mature: true,
    uses: 980,
    treatment: { tone: "night", finish: "vignette" },
  },
  {
    id: "edit-wine-bar",
    name: "Wine bar",
    category: "After dark",
    description: "Candles on a long evening.",
    prompt: "candlelit wine bar",
    mature: true,
    uses: 1120,
    treatment: { tone: "golden", finish: "vignette", particles: "bokeh" },
  },
  {
    id: "edit-late-train",
    name: "Late train",
    category: "After dark",
    description: "The last one home.",
    prompt: "night train, rain on the glass",
    uses: 744,
    treatment: { tone: "night", particles: "rain" },
  },
];

/**
 * An image-edit template as the catalogue shows it (section 2.10).
 * @param used how often it was used here
 */
export function publicImageEditTemplate(template: ImageEditTemplate, used: number) {
  const { id, name, category, description, second, uses } = template;
  return {
    id,
    name,
    category,
    description,
    requires_second_image: second ?? false,
    usage_count: uses + used,
  };
}
