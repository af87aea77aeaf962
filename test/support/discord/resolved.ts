import { isFile, type PersonsFile } from "./attachment.ts";
import { Channel } from "./channel.ts";
import { wireAttachment } from "./post.ts";
import { Role } from "./role.ts";
import type { World } from "./world.ts";

/** The objects behind the ids in an interaction's data. */
export class Resolved {
  readonly #world: World;
  readonly #channel: Channel;
  readonly #found: Record<string, Record<string, object>> = {};

  /** @param channel where the interaction is */
  constructor(world: World, channel: Channel) {
    this.#world = world;
    this.#channel = channel;
  }

  /** Uploads a file for an interaction. Returns its id. */
  async attach(given: PersonsFile): Promise<string> {
    const id = this.#world.id();
    const file = await this.#world.cdn.add(id, `ephemeral-attachments/${this.#world.applicationId}`, given);
    const attachment = wireAttachment(this.#world, { file, description: undefined }, true);
    const { url = attachment.url } = given;
    return this.#add("attachments", id, { ...attachment, url, proxy_url: url });
  }

  /** Names a person. Returns their id. */
  mention(user: { readonly id: string }): string {
    const { guild } = this.#channel;
    const member = this.#world.people.get(user.id);
    if (guild && member) {
      this.#add("members", user.id, {
        ...guild.member(member),
        permissions: String(guild.permissionsOf(user.id)),
      });
    }
    return this.#add("users", user.id, user);
  }

  /** Names a channel. Returns its id. */
  refer(channel: Channel): string {
    return this.#add("channels", channel.id, {
      ...channel.toJSON(),
      permissions: String(channel.botPermissions),
    });
  }

  /** Names a role. Returns its id. */
  #grant(role: Role): string {
    return this.#add("roles", role.id, role.toJSON());
  }

  /** Names a message. Returns its id. */
  point(message: { readonly id: string }): string {
    return this.#add("messages", message.id, message);
  }

  /** Whatever a person picks that has an id. Returns it; nothing for what has none. */
  async pick(value: unknown): Promise<string | undefined> {
    if (isFile(value)) return this.attach(value);
    if (value instanceof Channel) return this.refer(value);
    if (value instanceof Role) return this.#grant(value);
    if (typeof value === "object" && value !== null && "user" in value) {
      return this.mention(value.user as { id: string });
    }
    return undefined;
  }

  /** For the data of the interaction. */
  toJSON(): object | undefined {
    return Object.keys(this.#found).length > 0 ? this.#found : undefined;
  }

  #add(kind: string, id: string, object: object): string {
    (this.#found[kind] ??= {})[id] = object;
    return id;
  }
}
