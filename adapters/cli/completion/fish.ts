import type { Flag, Place } from "./places.ts";

/** A line for each command and each flag; files are offered after flags that take one. */
export function fishScript(places: readonly Place[]): string {
  const paths = places.map(({ path }) => path).filter(Boolean);
  const lines = places.flatMap(({ path, commands, flags }) => {
    const here = `complete -c reelay -n ${quoted(`__reelay_at ${quoted(path)}`)}`;
    return [
      ...commands.map(({ name, about }) => `${here} -a ${name} -d ${quoted(about)}`),
      ...flags.map((flag) => `${here} -l ${flag.name.slice(2)}${following(flag)} -d ${quoted(flag.about)}`),
    ];
  });
  return `function __reelay_at
  set -l at ''
  for word in (commandline -opc)[2..-1]
    switch "$at $word"
      case ${paths.map(quoted).join(" ")}
        set at "$at $word"
    end
  end
  test "$at" = "$argv[1]"
end
complete -c reelay -f
${lines.join("\n")}
`;
}

function following({ follows }: Flag): string {
  if (follows === "nothing") return "";
  if (follows === "file") return " -r -F";
  return follows === "words" ? " -x" : ` -x -a ${quoted(follows.join(" "))}`;
}

const quoted = (text: string) => `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`;
