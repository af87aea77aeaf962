/** Every camera move. */
export const MOVE_NAMES = [
  "zoom-in",
  "zoom-out",
  "crash-zoom",
  "pan-left",
  "pan-right",
  "pan-up",
  "pan-down",
  "drift",
  "orbit",
  "pulse",
  "sway",
  "roll",
  "handheld",
] as const;

/** A camera move's name. */
export type MoveName = (typeof MOVE_NAMES)[number];

/** A camera move: where the frame is, as ffmpeg expressions of eased progress `p` (0 to 1) and seconds `t`. */
interface Move {
  /** 1 shows the whole picture, 2 the middle half of it. */
  readonly zoom: string;
  /** Position within what the zoom leaves free: -1 is the left (or top) edge, 1 the right (or bottom). */
  readonly x?: string;
  readonly y?: string;
  /** Roll in radians; the zoom must leave room for it. */
  readonly roll?: string;
}

// `side` is 1 or -1 and `near` between -0.5 and 0.5, both from the seed: they make a variation.
const MOVES: Readonly<Record<MoveName, Move>> = {
  "zoom-in": { zoom: "1+0.3*p", x: "near", y: "near" },
  "zoom-out": { zoom: "1.3-0.3*p", x: "near", y: "near" },
  "crash-zoom": { zoom: "1+0.55*pow(p,3)" },
  "pan-left": { zoom: "1.25", x: "1-2*p" },
  "pan-right": { zoom: "1.25", x: "2*p-1" },
  "pan-up": { zoom: "1.25", y: "1-2*p" },
  "pan-down": { zoom: "1.25", y: "2*p-1" },
  drift: { zoom: "1.14+0.1*p", x: "side*(1.6*p-0.8)", y: "side*(0.6-1.2*p)" },
  orbit: { zoom: "1.22", x: "0.9*cos(6.2832*p)", y: "side*0.9*sin(6.2832*p)" },
  pulse: { zoom: "1.1+0.06*sin(5.2*t)" },
  sway: { zoom: "1.16", roll: "side*0.045*sin(1.9*t)" },
  roll: { zoom: "1.42-0.2*p", roll: "side*0.13*(1-p)" },
  handheld: {
    zoom: "1.12",
    x: "0.5*sin(1.7*t)+0.25*sin(4.1*t)",
    y: "0.4*sin(2.3*t)+0.25*cos(3.7*t)",
    roll: "0.008*sin(2.9*t)",
  },
};

/**
 * The move as an ffmpeg filter. `perspective` places the frame's corners between pixels, so slow moves do
 * not jitter as `zoompan`'s do, and it is in builds as old as 2018's.
 * @param frames length of the clip in frames
 * @param fps frames per second
 */
export function moveFilter(name: MoveName, seed: number, frames: number, fps: number): string {
  const { zoom, x = "0", y = "0", roll = "0" } = MOVES[name];
  const linear = `clip((on-1)/${frames - 1},0,1)`;
  const values: Readonly<Record<string, string>> = {
    p: `(${linear}*${linear}*(3-2*${linear}))`,
    t: `((on-1)/${fps})`,
    side: seed % 2 === 0 ? "1" : "(-1)",
    near: `(${(seed % 11) / 10 - 0.5})`,
  };
  const fill = (expression: string) =>
    `(${expression.replace(/\b(p|t|side|near)\b/g, (v) => values[v] ?? v)})`;
  // Half the frame's size, and its middle.
  const halfWidth = `W/2/${fill(zoom)}`;
  const halfHeight = `H/2/${fill(zoom)}`;
  const middleX = `W/2+${fill(x)}*(W/2-${halfWidth})`;
  const middleY = `H/2+${fill(y)}*(H/2-${halfHeight})`;
  const corner = (index: number, right: "-" | "+", down: "-" | "+") => {
    const dx = `(0${right}${halfWidth})`;
    const dy = `(0${down}${halfHeight})`;
    return [
      `x${index}='${middleX}+${dx}*cos(${fill(roll)})-${dy}*sin(${fill(roll)})'`,
      `y${index}='${middleY}+${dx}*sin(${fill(roll)})+${dy}*cos(${fill(roll)})'`,
    ];
  };
  const corners = [
    ...corner(0, "-", "-"),
    ...corner(1, "+", "-"),
    ...corner(2, "-", "+"),
    ...corner(3, "+", "+"),
  ];
  // Stills are larger than the frame: after scaling down nobody sees a difference to cubic, which takes twice as long.
  return `perspective=${corners.join(":")}:interpolation=linear:eval=frame`;
}
