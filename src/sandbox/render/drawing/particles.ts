import { chance } from "../../liberties/chance.ts";

/** Things that fall or rise through a clip. */
interface Particles {
  readonly count: number;
  /** Frame heights per second; negative rises. */
  readonly speed: number;
  readonly colours: readonly string[];
  /** The SVG of one, around the origin; `size` is 1/100 of the frame's width, `spin` is in degrees. */
  readonly shape: (size: number, colour: string, spin: number) => string;
}

const dot = (scale: number, opacity: number) => (size: number, colour: string) =>
  `<circle r="${size * scale}" fill="${colour}" fill-opacity="${opacity}"/>`;
const glow = (scale: number, opacity: number) => (size: number, colour: string) =>
  [1, 0.7, 0.4].map((part) => dot(scale * part, opacity)(size, colour)).join("");

const PARTICLES = {
  confetti: {
    count: 90,
    speed: 0.32,
    colours: ["#ff5d73", "#ffd166", "#06d6a0", "#4cc9f0", "#b388ff", "#ffffff"],
    shape: (size, colour, spin) =>
      `<rect x="${-size}" y="${-size / 2}" width="${size * 2}" height="${size}" fill="${colour}" transform="rotate(${spin})"/>`,
  },
  snow: { count: 130, speed: 0.14, colours: ["#ffffff"], shape: dot(0.6, 0.85) },
  rain: {
    count: 150,
    speed: 1.5,
    colours: ["#dfeaf5"],
    shape: (size, colour) =>
      `<rect width="${size * 0.28}" height="${size * 7}" fill="${colour}" fill-opacity="0.4"/>`,
  },
  petals: {
    count: 46,
    speed: 0.16,
    colours: ["#ffc2d4", "#ff9ebb", "#ffe0e9"],
    shape: (size, colour, spin) =>
      `<ellipse rx="${size * 1.5}" ry="${size * 0.8}" fill="${colour}" fill-opacity="0.9" transform="rotate(${spin})"/>`,
  },
  leaves: {
    count: 36,
    speed: 0.2,
    colours: ["#d9772b", "#b5452c", "#e3b23c"],
    shape: (size, colour, spin) =>
      `<path d="M${-size * 2},0 Q0,${-size * 1.6} ${size * 2},0 Q0,${size * 1.6} ${-size * 2},0Z" fill="${colour}" transform="rotate(${spin})"/>`,
  },
  bokeh: { count: 24, speed: 0.05, colours: ["#ffe8b0", "#ffd1a1", "#fff6de"], shape: glow(6, 0.1) },
  fireflies: { count: 34, speed: -0.06, colours: ["#f4ff9a", "#ffe066"], shape: glow(1.2, 0.4) },
  embers: { count: 60, speed: -0.28, colours: ["#ff7b2e", "#ffb454"], shape: glow(0.7, 0.5) },
  bubbles: {
    count: 30,
    speed: -0.18,
    colours: ["#ffffff"],
    shape: (size, colour) =>
      `<circle r="${size * 2.4}" fill="${colour}" fill-opacity="0.08" stroke="${colour}" stroke-opacity="0.6" stroke-width="${size * 0.25}"/>`,
  },
  stars: {
    count: 60,
    speed: 0.02,
    colours: ["#ffffff", "#fff3c4"],
    shape: (size, colour) =>
      `<path d="M0,${-size * 1.6} Q0,0 ${size * 1.6},0 Q0,0 0,${size * 1.6} Q0,0 ${-size * 1.6},0 Q0,0 0,${-size * 1.6}Z" fill="${colour}" fill-opacity="0.9"/>`,
  },
  hearts: {
    count: 34,
    speed: -0.2,
    colours: ["#ff4d6d", "#ff8fa3", "#ffccd5"],
    shape: (size, colour) =>
      `<path d="M0,${size * 1.8} C${-size * 3.6},${-size * 0.6} ${-size * 1.4},${-size * 2.6} 0,${-size} C${size * 1.4},${-size * 2.6} ${size * 3.6},${-size * 0.6} 0,${size * 1.8}Z" fill="${colour}" fill-opacity="0.85"/>`,
  },
} as const satisfies Record<string, Particles>;

/** The name of a kind of particles. */
export type ParticlesName = keyof typeof PARTICLES;

/** Every kind of particles. */
export const PARTICLE_NAMES = Object.keys(PARTICLES) as readonly ParticlesName[];

/**
 * A sheet of particles, twice as high as the frame; its halves are equal, so that it can move for ever.
 * @returns an SVG without any text in it
 */
export function particleSheet(name: ParticlesName, width: number, height: number, seed: number): string {
  const { count, colours, shape }: Particles = PARTICLES[name];
  const draw = (label: string, index: number) => chance(name, seed, label, index);
  const all = Array.from({ length: count }, (_, index) => {
    const size = (width / 100) * (0.6 + 0.8 * draw("size", index));
    const colour = colours[index % colours.length] ?? "#ffffff";
    const svg = shape(size, colour, Math.round(draw("spin", index) * 360));
    const x = Math.round(draw("x", index) * width);
    const y = Math.round(draw("y", index) * height);
    return [y - height, y, y + height, y + 2 * height]
      .map((top) => `<g transform="translate(${x},${top})">${svg}</g>`)
      .join("");
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height * 2}">${all.join("")}</svg>`;
}

/** Where the sheet's top edge is at time `t`, as an ffmpeg expression. */
export function particleOffset(name: ParticlesName): string {
  const { speed } = PARTICLES[name];
  return speed > 0 ? `-H+mod(t*${speed}*H,H)` : `-mod(t*${-speed}*H,H)`;
}
