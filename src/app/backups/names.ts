/** What a backup of the server's is called, and what one that was cut off left behind; whatever else is in the folder is not ours. */
const OURS = /^reelay-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.backup$/;
const LEFT =
  /^reelay-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.backup\.(?:unfinished|database|tests|lock)(?:-journal)?$/;

/** The name of a backup, which puts them in their order. @param at when it began, in milliseconds since 1970 */
export const backupName = (at: number) =>
  `reelay-${new Date(at).toISOString().slice(0, 19).replaceAll(":", "-")}Z.backup`;

/** Whether a file is a backup of the server's. */
export const isOurs = (name: string) => OURS.test(name);

/** Whether a file was left behind by one that was cut off. */
export const isLeft = (name: string) => LEFT.test(name);
