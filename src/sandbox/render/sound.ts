import { chance } from "../liberties/chance.ts";
import type { Stream } from "./layers.ts";
import type { ClipTask, Sound } from "./task.ts";

/** Seconds that a chord lasts. */
const BAR = 2;
const BARS = 4;
const SAMPLE_RATE = 44_100;

/** Semitones above the root of each bar's chord. */
const PROGRESSIONS = [
  [0, 5, 9, 7],
  [0, 9, 5, 7],
  [0, 4, 5, 7],
  [0, 7, 9, 5],
] as const;

/** Thirds of the chords on those degrees, in semitones, within a major key: minor on 4 and 9. */
const third = (degree: number) => (degree === 4 || degree === 9 ? 3 : 4);

/**
 * A clip's sound track: music, under the reference sounds where there are any.
 * @param firstInput the number of its first input
 * @returns makes the stream `a`
 */
export function soundTrack(task: ClipTask, { references }: Sound, firstInput: number): Stream {
  const { caption, seed, duration } = task;
  const ends = `lowpass=f=6000,afade=t=in:d=0.4,afade=t=out:st=${duration - 0.6}:d=0.6`;
  const stereo = `aresample=${SAMPLE_RATE},aformat=sample_fmts=fltp:channel_layouts=stereo`;
  const inputs = ["-f", "lavfi", "-i", music(caption, seed, duration)];
  const filters = [`[${firstInput}:a]${stereo},${ends}[music]`];
  if (references.length === 0) return { inputs, filters: [...filters, "[music]anull[a]"] };
  // A reference is read as what it was found to be: no format can make ffmpeg open anything else.
  for (const { path, demuxer } of references) inputs.push("-f", demuxer, "-i", path);
  const played = references.map((_, index) => `[${firstInput + 1 + index}:a:0]${stereo}[r${index}]`);
  const labels = references.map((_, index) => `[r${index}]`).join("");
  return {
    inputs,
    filters: [
      ...filters,
      ...played,
      `${labels}concat=n=${references.length}:v=0:a=1[references]`,
      "[music][references]amix=inputs=2:duration=first[a]",
    ],
  };
}

/**
 * Calm music as the source of an ffmpeg input (`-f lavfi`): a pad of slow chords, a plucked arpeggio, a breath of
 * noise. The same text and seed give the same music.
 * @param duration seconds
 */
function music(text: string, seed: number, duration: number): string {
  const root = 110 * 2 ** (Math.floor(chance("root", text, seed) * 12) / 12);
  const degrees = PROGRESSIONS[Math.floor(chance("progression", text, seed) * PROGRESSIONS.length)] ?? [];
  // The right side is slightly sharp, which makes the sound wide.
  const sides = [1, 1.002].map((detune) => voice(degrees, root * detune));
  return `aevalsrc='${sides.join("|")}':s=${SAMPLE_RATE}:d=${duration}`;
}

const sine = (hertz: number) => `sin(${(2 * Math.PI * hertz).toFixed(4)}*t)`;

/** One side's loudness at time `t`, as an ffmpeg expression. */
function voice(degrees: readonly number[], root: number): string {
  const bar = `mod(t,${BAR})`;
  const step = BAR / 4;
  const bars = degrees.map((degree) => {
    const notes = [0, third(degree), 7].map((tone) => root * 2 ** ((degree + tone) / 12));
    const [low = root, middle = root, high = root] = notes;
    const arpeggio = [low * 4, middle * 2, high * 2, middle * 4];
    const plucked = arpeggio.reduceRight(
      (rest, note, index) => `if(lt(${bar},${(index + 1) * step}),${sine(note)},${rest})`,
      "0",
    );
    return `(0.1*(${notes.map(sine).join("+")})*sin(${Math.PI / BAR}*${bar})+0.09*(${plucked})*ld(0))`;
  });
  const chosen = bars.reduceRight(
    (rest, sound, index) => `if(lt(mod(t,${BAR * BARS}),${(index + 1) * BAR}),${sound},${rest})`,
    "0",
  );
  // Register 0 holds a pluck's envelope: a soft attack, then a quick fall.
  const pluck = `mod(t,${step})`;
  return `st(0,min(1,${pluck}*80)*exp(-6*${pluck}));${chosen}+0.006*(random(1)-0.5)`;
}
