/**
 * Gives fields that came under another name their own; what is there under its own name stays, and its other name is
 * then an unknown field.
 * @param names the fields' own names, by the others
 */
export function withoutAliases(body: unknown, names: Readonly<Record<string, string>>): unknown {
  if (typeof body !== "object" || body === null) return body;
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => {
      const own = names[name];
      return own === undefined || own in body ? [name, value] : [own, value];
    }),
  );
}
