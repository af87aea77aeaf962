/** What the server of a data folder is found by, in that folder: where it was last reached. */
export const LISTENING = "listening.json";
