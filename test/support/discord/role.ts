/** A role of a server. */
export class Role {
  readonly id: string;
  readonly name: string;
  /** What its holders may. */
  permissions: bigint;

  constructor({ id, name, permissions }: Pick<Role, "id" | "name" | "permissions">) {
    this.id = id;
    this.name = name;
    this.permissions = permissions;
  }

  /** topics/permissions: as Discord tells of it. */
  toJSON(): object {
    return {
      id: this.id,
      name: this.name,
      permissions: String(this.permissions),
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
