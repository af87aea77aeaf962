/** A MIME type without what belongs to it. */
export const bareType = (type = "") => (type.split(";")[0] ?? "").trim().toLowerCase();

/** Whether a file is said to be a picture. Some systems give HEIC photos no type. */
export const isPictureFile = (type = "", name = ""): boolean =>
  bareType(type).startsWith("image/") || /\.hei[cf]$/i.test(name);
