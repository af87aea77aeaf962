import type { Place } from "./places.ts";

/** As one word of a POSIX shell, whatever is in it. */
export const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** Alternatives of a `case`. A pattern that nothing fits stands where there are none. */
export const alternatives = (texts: readonly string[]) => texts.map(quoted).join("|") || "-";

/** What bash and zsh run alike: finds by the words before which command they are in. */
export function walk(places: readonly Place[], word: string): string {
  const paths = places.map(({ path }) => path).filter(Boolean);
  return `case "$at ${word}" in
      ${alternatives(paths)}) at="$at ${word}" ;;
    esac`;
}

/** Each flag after which something of this kind follows, as `at flag`. */
export function flagsBefore(places: readonly Place[], kind: "file" | "words"): readonly string[] {
  return places.flatMap(({ path, flags }) =>
    flags.filter(({ follows }) => follows === kind).map(({ name }) => `${path} ${name}`),
  );
}

/** Each flag with the words of which one follows. */
export function choicesOf(places: readonly Place[]): readonly (readonly [string, readonly string[]])[] {
  return places.flatMap(({ path, flags }) =>
    flags.flatMap(({ name, follows }) =>
      typeof follows === "string" ? [] : [[`${path} ${name}`, follows] as const],
    ),
  );
}
