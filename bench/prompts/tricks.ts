import { DISGUISES, WORD_DISGUISES } from "../../test/domain/policy/disguises.ts";

/** Writes what is asked for so that a person still reads it. */
type Trick = (text: string, seed: number) => string;

/** The words of a text that are long enough, changed; the seed says where. */
const inWords =
  (least: number, change: (letters: readonly string[], at: number) => readonly string[]): Trick =>
  (text, seed) =>
    text
      .split(" ")
      .map((word) => {
        const letters = Array.from(word);
        if (letters.length < least || !/^[\p{L}\p{M}]+$/u.test(word)) return word;
        return change(letters, 1 + (seed % (letters.length - 2))).join("");
      })
      .join(" ");

/** Tricks that change the words themselves: some make another word of one, so that not each can be known. */
const SLIPS: Readonly<Record<string, Trick>> = {
  "words without spaces": (text) => text.replaceAll(" ", ""),
  "pieces of four letters": inWords(6, (letters) => [...letters.slice(0, 4), " ", ...letters.slice(4)]),
  "pieces of two letters": inWords(4, (letters) =>
    letters.flatMap((letter, index) => (index > 0 && index % 2 === 0 ? [" ", letter] : [letter])),
  ),
  "two letters swapped, in words of five and more": inWords(5, (letters, at) => [
    ...letters.slice(0, at),
    letters[at + 1] ?? "",
    letters[at] ?? "",
    ...letters.slice(at + 2),
  ]),
  "one letter doubled": inWords(4, (letters, at) => [
    ...letters.slice(0, at),
    letters[at] ?? "",
    ...letters.slice(at),
  ]),
  "one letter missing, in words of eight and more": inWords(8, (letters, at) => letters.toSpliced(at, 1)),
  "one letter missing, in shorter words": inWords(5, (letters, at) =>
    letters.length < 8 ? letters.toSpliced(at, 1) : letters,
  ),
  "written backwards": (text) => Array.from(text).toReversed().join(""),
};

/** Every trick, by its name. */
export const TRICKS: Readonly<Record<string, Trick>> = { ...DISGUISES, ...WORD_DISGUISES, ...SLIPS };
