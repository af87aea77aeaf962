import { soundTypeOf } from "./sounds.ts";

/** Whether a file is a sound, by its name where the browser does not say. */
export function isSoundFile(file: File): boolean {
  return soundTypeOf(file).startsWith("audio/");
}

/** A sound under the type that it is known by. */
export function asSoundFile(file: File): File {
  return new File([file], file.name, { type: soundTypeOf(file) });
}

/** How long a sound is, in seconds; NaN where this browser cannot read it. */
export async function secondsOf(file: File): Promise<number> {
  const url = URL.createObjectURL(file);
  try {
    return await new Promise((resolve) => {
      const player = new Audio();
      player.preload = "metadata";
      player.addEventListener("loadedmetadata", () => resolve(player.duration));
      player.addEventListener("error", () => resolve(Number.NaN));
      player.src = url;
    });
  } finally {
    URL.revokeObjectURL(url);
  }
}
