import sharp, { type Sharp } from "sharp";
import { chance } from "../chance.ts";

/** Degrees of the colour wheel that a word asks for. */
const HUES: readonly (readonly [words: RegExp, hue: number])[] = [
  [/\b(sun\w*|gold\w*|desert|autumn|fire|candle\w*|warm)\b/i, 32],
  [/\b(forest|garden|meadow|jungle|green|spring|tree\w*)\b/i, 130],
  [/\b(sea|ocean|lake|river|water|rain\w*|wave\w*|ice|snow\w*|winter)\b/i, 200],
  [/\b(night|midnight|moon\w*|star\w*|space|galaxy|neon|city)\b/i, 255],
  [/\b(rose\w*|love|heart\w*|flower\w*|blossom\w*|pink)\b/i, 335],
];

/**
 * Draws a landscape of hills under a sky that follows from a text: the same text and seed give the same picture,
 * other ones another. Words of {@link HUES} set the colours.
 * @param width pixels
 * @param height pixels
 */
export function drawScene(text: string, seed: number, width: number, height: number): Sharp {
  const draw = (label: string, index = 0) => chance(text, seed, label, index);
  const between = (low: number, high: number, label: string, index = 0) =>
    low + (high - low) * draw(label, index);
  const hue = HUES.find(([words]) => words.test(text))?.[1] ?? Math.round(draw("hue") * 360);
  const colour = (turn: number, saturation: number, light: number) =>
    `hsl(${(hue + turn + 360) % 360} ${saturation}% ${light}%)`;

  const horizon = height * between(0.5, 0.66, "horizon");
  const small = Math.min(width, height);
  const sun = {
    x: Math.round(width * between(0.2, 0.8, "sun x")),
    y: Math.round(horizon * between(0.3, 0.8, "sun y")),
    r: Math.round(small * between(0.08, 0.16, "sun r")),
  };
  const lights = Array.from({ length: 40 }, (_, index) => {
    const [x, y] = [Math.round(draw("light x", index) * width), Math.round(draw("light y", index) * horizon)];
    return `<circle cx="${x}" cy="${y}" r="${(small * between(0.001, 0.004, "light r", index)).toFixed(1)}" fill="#fff" fill-opacity="0.6"/>`;
  });
  const ranges = [0, 1, 2, 3].map((depth) => {
    const top = horizon + (height - horizon) * depth * 0.24;
    const crest = Array.from({ length: 13 }, (_, step) => {
      const x = Math.round((width * step) / 12);
      return `${x},${Math.round(top - height * 0.12 * draw(`range ${depth}`, step) * (1 - depth * 0.2))}`;
    });
    return `<polygon points="0,${height} ${crest.join(" ")} ${width},${height}" fill="${colour(depth * 14, 38 + depth * 4, 44 - depth * 11)}"/>`;
  });

  return sharp(
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
      <defs>
        <linearGradient id="sky" x2="0" y2="1">
          <stop stop-color="${colour(-24, 60, 26)}"/><stop offset="0.7" stop-color="${colour(24, 72, 72)}"/>
        </linearGradient>
        <radialGradient id="sun"><stop offset="0.3" stop-color="#fff7dc"/><stop offset="1" stop-color="#fff7dc" stop-opacity="0"/></radialGradient>
      </defs>
      <rect width="${width}" height="${height}" fill="url(#sky)"/>${lights.join("")}
      <circle cx="${sun.x}" cy="${sun.y}" r="${sun.r * 2}" fill="url(#sun)"/>${ranges.join("")}</svg>`),
  );
}
