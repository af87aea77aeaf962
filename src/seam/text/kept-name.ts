import { FILE, likelyKeyIn, withoutEnds } from "../../common/likely-key.ts";

/** The name of a file as it may be kept: where it may hold a key, nothing but its end, which says what the file is. */
export function keptName(name: string): string {
  const isKey = likelyKeyIn(name) !== undefined || likelyKeyIn(withoutEnds(name)) !== undefined;
  return isKey ? `file${FILE.exec(name)?.[0] ?? ""}` : name;
}
