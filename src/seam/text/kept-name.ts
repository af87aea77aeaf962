import { FILE, likelyKeyIn, withoutEnds } from "../../common/likely-key.ts";
import { beginning } from "./cut.ts";

/** No file is known by more. */
const MAX_NAME = 200;

/** The name of a file as it may be kept: where it may hold a key, nothing but its end, which says what the file is. */
export function keptName(name: string): string {
  const isKey = likelyKeyIn(name) !== undefined || likelyKeyIn(withoutEnds(name)) !== undefined;
  return beginning(isKey ? `file${FILE.exec(name)?.[0] ?? ""}` : name, MAX_NAME);
}
