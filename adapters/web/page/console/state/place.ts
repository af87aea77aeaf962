import { useLayoutEffect, useState } from "preact/hooks";

/** Where somebody is in the console. */
export interface ConsolePlace {
  /** Which section. */
  readonly section: string;
  /** What is looked at there, such as a job's id or what was sought; "" where nothing is. */
  readonly what: string;
}

/** It stands in the fragment of the address, which browsers never send: no log and no proxy has a person's name. */
export function usePlace(): ConsolePlace {
  const [place, setPlace] = useState(read);
  // Before anything is shown: what is pressed then is heard.
  useLayoutEffect(() => {
    const move = () => setPlace(read());
    addEventListener("hashchange", move);
    return () => removeEventListener("hashchange", move);
  }, []);
  return place;
}

/** The address of a place. */
export const linkTo = (section: string, what = "") =>
  `#${section}${what === "" ? "" : `/${encodeURIComponent(what)}`}`;

function read(): ConsolePlace {
  const [section = "", what = ""] = location.hash.slice(1).split("/");
  return { section, what: decoded(what) };
}

/** What somebody typed in the address may be no such text. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
