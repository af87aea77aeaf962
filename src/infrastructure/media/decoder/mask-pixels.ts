/** One byte for each pixel, row by row: how far two pictures differ there, or 255 where something is marked. */
export interface Plane {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

const MARKED = 255;

/** How far each pixel of two pictures differs: by the channel that differs most. Both have three channels. */
export function distanceOf(one: Uint8Array, other: Uint8Array): Uint8Array {
  const distance = new Uint8Array(one.length / 3);
  for (let at = 0; at < one.length; at++) {
    const pixel = Math.floor(at / 3);
    const difference = Math.abs((one[at] ?? 0) - (other[at] ?? 0));
    if (difference > (distance[pixel] ?? 0)) distance[pixel] = difference;
  }
  return distance;
}

/** Marks what is at least so much. */
export function from(plane: Plane, least: number): Plane {
  return { ...plane, data: plane.data.map((value) => (value >= least ? MARKED : 0)) };
}

/** Lets what is marked grow by some pixels to every side; shrinks it by a negative number. */
export function grown(plane: Plane, by: number): Plane {
  const wins = by < 0 ? 0 : MARKED;
  return along(along(plane, Math.abs(by), 1, wins), Math.abs(by), plane.width, wins);
}

/** Gives each pixel what wins, where it or a neighbour in its row (step 1) or column (step: the width) has it. */
function along({ data, width, height }: Plane, reach: number, step: number, wins: number): Plane {
  const picked = new Uint8Array(data.length);
  const length = step === 1 ? width : height;
  for (let pixel = 0; pixel < data.length; pixel++) {
    const place = step === 1 ? pixel % width : Math.floor(pixel / width);
    const first = Math.max(-reach, -place);
    const last = Math.min(reach, length - 1 - place);
    let offset = first;
    while (offset <= last && data[pixel + offset * step] !== wins) offset++;
    picked[pixel] = offset <= last ? wins : MARKED - wins;
  }
  return { data: picked, width, height };
}

/** Marks what is enclosed by what is marked, too. */
export function filled({ data, width, height }: Plane): Plane {
  const outside = new Uint8Array(data.length);
  const open = [...data.keys()].filter((pixel) => {
    const column = pixel % width;
    return column === 0 || column === width - 1 || pixel < width || pixel >= data.length - width;
  });
  for (let pixel = open.pop(); pixel !== undefined; pixel = open.pop()) {
    if (outside[pixel] || data[pixel]) continue;
    outside[pixel] = 1;
    const column = pixel % width;
    if (column > 0) open.push(pixel - 1);
    if (column < width - 1) open.push(pixel + 1);
    if (pixel >= width) open.push(pixel - width);
    if (pixel < data.length - width) open.push(pixel + width);
  }
  return { data: outside.map((isOutside) => (isOutside ? 0 : MARKED)), width, height };
}

/** The values of one plane where another marks nothing. */
export function outside({ data }: Plane, marked: Plane): Uint8Array {
  return data.filter((_, pixel) => !marked.data[pixel]);
}
