import type { Place } from "./places.ts";
import { alternatives, choicesOf, flagsBefore, quoted, walk } from "./sh.ts";

/** For bash 3.2, which macOS has, and later. Files are completed by bash itself, where nothing else is found. */
export function bashScript(places: readonly Place[]): string {
  const choices = choicesOf(places).map(
    ([flag, words]) => `    ${quoted(flag)}) words=${quoted(words.join(" "))} ;;`,
  );
  const names = places.map(({ path, commands, flags }) => {
    const words = [...commands, ...flags].map(({ name }) => name);
    return `      ${quoted(path)}) words=${quoted(words.join(" "))} ;;`;
  });
  return `_reelay() {
  local at='' words='' i
  for ((i = 1; i < COMP_CWORD; i++)); do
    ${walk(places, "${COMP_WORDS[i]}")}
  done
  COMPREPLY=()
  case "$at \${COMP_WORDS[COMP_CWORD - 1]}" in
    ${alternatives(flagsBefore(places, "file"))}) return ;;
    ${alternatives(flagsBefore(places, "words"))}) compopt +o default 2> /dev/null; return ;;
${choices.join("\n")}
    *) case "$at" in
${names.join("\n")}
    esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _reelay reelay
`;
}
