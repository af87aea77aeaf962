/** A role of a server. */
export class Role {
  readonly id: string;
  readonly name: string;

  constructor({ id, name }: Pick<Role, "id" | "name">) {
    this.id = id;
    this.name = name;
  }

  /** topics/permissions: as Discord tells of it. @param permissions what its holders may */
  toJSON(permissions = 0n): object {
    return {
      id: this.id,
      name: this.name,
      permissions: String(permissions),
      description: null,
      color: 0,
      colors: { primary_color: 0, secondary_color: null, tertiary_color: null },
      hoist: false,
      icon: null,
      unicode_emoji: null,
      managed: false,
      mentionable: false,
      position: 0,
      flags: 0,
    };
  }
}
