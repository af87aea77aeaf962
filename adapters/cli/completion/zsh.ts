import type { Place } from "./places.ts";
import { alternatives, choicesOf, flagsBefore, quoted, walk } from "./sh.ts";

type Described = { readonly name: string; readonly about: string };

/** To be sourced, or kept as `_reelay` where zsh looks for functions. */
export function zshScript(places: readonly Place[]): string {
  const choices = choicesOf(places).map(
    ([flag, words]) => `    ${quoted(flag)}) compadd -- ${words.map(quoted).join(" ")}; return ;;`,
  );
  const names = places.map(
    ({ path, commands, flags }) =>
      `    ${quoted(path)}) commands=(${described(commands)}) flags=(${described(flags)}) ;;`,
  );
  return `#compdef reelay
_reelay() {
  local at='' i
  local -a commands flags
  for ((i = 2; i < CURRENT; i++)); do
    ${walk(places, "${words[i]}")}
  done
  case "$at \${words[CURRENT - 1]}" in
    ${alternatives(flagsBefore(places, "file"))}) _files; return ;;
    ${alternatives(flagsBefore(places, "words"))}) return ;;
${choices.join("\n")}
  esac
  case "$at" in
${names.join("\n")}
  esac
  _describe -t commands command commands
  _describe -o -t options option flags
}
if [[ $funcstack[1] = _reelay ]]; then _reelay "$@"; else compdef _reelay reelay; fi
`;
}

const described = (list: readonly Described[]) =>
  list.map(({ name, about }) => quoted(`${name}:${about}`)).join(" ");
