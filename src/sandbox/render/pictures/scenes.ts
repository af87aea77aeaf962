import type { Palette } from "./palettes.ts";

/** Draws a number from 0 (inclusive) to 1 (exclusive); the same label and index give the same one. */
type Draw = (label: string, index?: number) => number;

/** What a scene is drawn with: a frame of pixels, colours and chance. */
interface Frame {
  readonly width: number;
  readonly height: number;
  readonly colours: Palette;
  readonly draw: Draw;
}

const times = (count: number, shape: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => shape(index)).join("");
const circle = (x: number, y: number, r: number, fill: string, opacity = 1) =>
  `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${r.toFixed(1)}" fill="${fill}" fill-opacity="${opacity}"/>`;
const path = (points: readonly (readonly [number, number])[], fill: string) =>
  `<path d="M${points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join("L")}Z" fill="${fill}"/>`;
const colourAt = ({ layers }: Palette, index: number) => layers[index % layers.length] ?? "#808080";

const SCENES = {
  hills: ({ width, height, colours, draw }) => {
    const sun = circle(
      width * (0.2 + 0.6 * draw("sun x")),
      height * (0.18 + 0.25 * draw("sun y")),
      Math.min(width, height) * (0.07 + 0.06 * draw("sun")),
      colours.light,
      0.95,
    );
    return (
      sun +
      times(colours.layers.length, (layer) => {
        const base = height * (0.45 + 0.14 * layer);
        const ridge = Array.from({ length: 49 }, (_, step): [number, number] => {
          const at = step / 48;
          const wave = (n: number) =>
            Math.sin(at * Math.PI * 2 * n * (0.6 + draw(`wave ${n}`, layer)) + 9 * draw(`phase ${n}`, layer));
          return [at * width, base + height * (0.06 * wave(1) + 0.03 * wave(2.3) + 0.012 * wave(7))];
        });
        return path([...ridge, [width, height], [0, height]], colourAt(colours, layer));
      })
    );
  },

  waves: ({ width, height, colours, draw }) =>
    circle(width * draw("moon"), height * 0.2, Math.min(width, height) * 0.09, colours.light) +
    times(14, (row) => {
      const base = height * (0.32 + row * 0.05);
      const crest = Array.from({ length: 61 }, (_, step): [number, number] => [
        (step / 60) * width,
        base + height * 0.018 * Math.sin(step * (0.25 + 0.3 * draw("length", row)) + 7 * draw("phase", row)),
      ]);
      return path([...crest, [width, height], [0, height]], colourAt(colours, row));
    }),

  facets: ({ width, height, colours, draw }) => {
    const [columns, rows] = [9, 9];
    const corner = (column: number, row: number): [number, number] => {
      const shift = (label: string) => (draw(label, row * 100 + column) - 0.5) * 0.8;
      return [((column + shift("x")) / (columns - 1)) * width, ((row + shift("y")) / (rows - 1)) * height];
    };
    return times((columns + 1) * (rows + 1), (cell) => {
      const [column, row] = [(cell % (columns + 1)) - 1, Math.floor(cell / (columns + 1)) - 1];
      const [a, b] = [corner(column, row), corner(column + 1, row)];
      const [c, d] = [corner(column, row + 1), corner(column + 1, row + 1)];
      const pick = (label: string) =>
        colourAt(colours, Math.floor(draw(label, cell) * 3 + (row / rows) * 2 + 4));
      return path([a, b, d], pick("upper")) + path([a, d, c], pick("lower"));
    });
  },

  rays: ({ width, height, colours, draw }) => {
    const [x, y] = [width * (0.3 + 0.4 * draw("x")), height * (0.5 + 0.4 * draw("y"))];
    const reach = width + height;
    const count = 14 + Math.floor(draw("count") * 10);
    return (
      times(count, (ray) => {
        const from = (ray / count) * Math.PI * 2 + draw("turn");
        const to = from + Math.PI / count;
        return path(
          [
            [x, y],
            [x + reach * Math.cos(from), y + reach * Math.sin(from)],
            [x + reach * Math.cos(to), y + reach * Math.sin(to)],
          ],
          colourAt(colours, ray),
        );
      }) + circle(x, y, Math.min(width, height) * 0.16, colours.light)
    );
  },

  planets: ({ width, height, colours, draw }) => {
    const unit = Math.min(width, height);
    return (
      times(160, (star) =>
        circle(
          width * draw("x", star),
          height * draw("y", star),
          unit * 0.004 * draw("r", star),
          colours.light,
          0.9,
        ),
      ) +
      times(4, (planet) => {
        const [x, y] = [width * draw("px", planet), height * draw("py", planet)];
        const r = unit * (0.05 + 0.15 * draw("pr", planet));
        const ring = `<ellipse cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" rx="${(r * 1.7).toFixed(1)}" ry="${(r * 0.4).toFixed(1)}" fill="none" stroke="${colours.light}" stroke-opacity="0.7" stroke-width="${(r * 0.07).toFixed(1)}"/>`;
        return (
          circle(x, y, r, colourAt(colours, planet)) +
          circle(x - r * 0.3, y - r * 0.3, r * 0.45, colours.light, 0.18) +
          (planet % 2 === 0 ? ring : "")
        );
      })
    );
  },

  discs: ({ width, height, colours, draw }) =>
    times(70, (disc) => {
      const fill = disc % 6 === 0 ? colours.light : colourAt(colours, disc);
      const r = Math.min(width, height) * (0.03 + 0.13 * draw("r", disc));
      return circle(width * draw("x", disc), height * draw("y", disc), r, fill, 0.22 + 0.4 * draw("o", disc));
    }),
} as const satisfies Record<string, (frame: Frame) => string>;

/** A scene's name. */
export type SceneName = keyof typeof SCENES;

/**
 * A scene with its sky.
 * @returns an SVG without any text in it
 */
export function sceneSvg(name: SceneName, frame: Frame): string {
  const { width, height, colours } = frame;
  const [top, bottom] = colours.sky;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <defs><linearGradient id="sky" x2="0" y2="1"><stop stop-color="${top}"/><stop offset="1" stop-color="${bottom}"/></linearGradient></defs>
    <rect width="${width}" height="${height}" fill="url(#sky)"/>${SCENES[name](frame)}</svg>`;
}
