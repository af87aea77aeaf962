/** Marks on a canvas: whatever is not transparent is marked. */
import { boxOf, type PaintMark as MarkOf, type Point } from "./marks.ts";

/** A step of marking whose picture can be drawn. */
export type Mark = MarkOf<CanvasImageSource>;

/** Of a picture, in pixels. */
export interface CanvasSize {
  readonly width: number;
  readonly height: number;
}

/** Marks are painted in it; CSS makes them see-through. */
const TINT = "#e0345f";
/** From here on a half transparent edge counts as marked. */
const MARKED_FROM = 128;
/** Phones refuse larger canvases; the core stretches a smaller mask over its picture. */
const MAX_PIXELS = 2 ** 24;
/** Of masks that are brought along, each pixel is looked at. */
const MAX_IMPORTED_PIXELS = 2 ** 22;

/** A canvas of a size, or a smaller one of its shape where that has too many pixels. */
export function resize(
  canvas: HTMLCanvasElement,
  { width, height }: CanvasSize,
  maxPixels = MAX_PIXELS,
): void {
  const scale = Math.min(1, Math.sqrt(maxPixels / (width * height)));
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
}

/** Paints all marks anew, scaled from the picture's size to the canvas's. */
export function paintAll(canvas: HTMLCanvasElement, size: CanvasSize, marks: readonly Mark[]): void {
  contextOf(canvas, size).clearRect(0, 0, size.width, size.height);
  for (const mark of marks) paint(canvas, size, mark);
}

/** Paints one mark over what is there. */
export function paint(canvas: HTMLCanvasElement, size: CanvasSize, mark: Mark): void {
  const context = contextOf(canvas, size);
  const { width, height } = size;
  switch (mark.kind) {
    case "stroke":
      context.globalCompositeOperation = mark.erases ? "destination-out" : "source-over";
      context.lineWidth = mark.size;
      context.stroke(lineThrough(mark.points));
      return;
    case "cell": {
      const box = boxOf(mark.cell, width, height);
      context.globalCompositeOperation = mark.on ? "source-over" : "destination-out";
      context.fillRect(box.x, box.y, box.width, box.height);
      return;
    }
    case "image":
      context.clearRect(0, 0, width, height);
      context.drawImage(mark.image, 0, 0, width, height);
      return;
    case "invert":
      context.globalCompositeOperation = "xor";
      context.fillRect(0, 0, width, height);
      return;
    case "clear":
      context.clearRect(0, 0, width, height);
      return;
    default:
      mark satisfies never;
  }
}

/** The marks as a mask of the picture's size: white where it is marked, black everywhere else. */
export async function maskOf(size: CanvasSize, marks: readonly Mark[]): Promise<File> {
  const canvas = document.createElement("canvas");
  resize(canvas, size);
  paintAll(canvas, size, marks);
  fill(canvas, "source-in", "#fff");
  fill(canvas, "destination-over", "#000");
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
  if (!blob) throw new Error("The mask could not be written.");
  return new File([blob], "mask.png", { type: "image/png" });
}

/** What a mask marks, as a mark: its light parts. */
export function markFrom(mask: ImageBitmap): Mark {
  const image = document.createElement("canvas");
  resize(image, mask, MAX_IMPORTED_PIXELS);
  const context = contextOf(image, image);
  context.drawImage(mask, 0, 0, image.width, image.height);
  const pixels = context.getImageData(0, 0, image.width, image.height);
  const { data } = pixels;
  for (let at = 0; at < data.length; at += 4) {
    const light = 0.2126 * (data[at] ?? 0) + 0.7152 * (data[at + 1] ?? 0) + 0.0722 * (data[at + 2] ?? 0);
    data[at + 3] = (light * (data[at + 3] ?? 0)) / 255 >= MARKED_FROM ? 255 : 0;
  }
  context.putImageData(pixels, 0, 0);
  fill(image, "source-in", TINT);
  return { kind: "image", image };
}

/** The marked share of a canvas, 0 to 1. */
export function shareOf(canvas: HTMLCanvasElement): number {
  const { data } = contextOf(canvas, canvas).getImageData(0, 0, canvas.width, canvas.height);
  let marked = 0;
  for (let at = 3; at < data.length; at += 4) if ((data[at] ?? 0) >= MARKED_FROM) marked++;
  return (4 * marked) / data.length;
}

function fill(canvas: HTMLCanvasElement, how: GlobalCompositeOperation, colour: string): void {
  const context = contextOf(canvas, canvas);
  context.globalCompositeOperation = how;
  context.fillStyle = colour;
  context.fillRect(0, 0, canvas.width, canvas.height);
}

function contextOf(canvas: HTMLCanvasElement, { width, height }: CanvasSize): CanvasRenderingContext2D {
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) throw new Error("This browser cannot paint.");
  context.setTransform(canvas.width / width, 0, 0, canvas.height / height, 0, 0);
  context.globalCompositeOperation = "source-over";
  context.lineCap = "round";
  context.lineJoin = "round";
  context.strokeStyle = TINT;
  context.fillStyle = TINT;
  return context;
}

function lineThrough(points: readonly Point[]): Path2D {
  const line = new Path2D();
  for (const { x, y } of points) line.lineTo(x, y);
  // A press without a move is a dot; a line of no length at all would not be drawn.
  if (points.length === 1 && points[0]) line.lineTo(points[0].x + 0.01, points[0].y);
  return line;
}
