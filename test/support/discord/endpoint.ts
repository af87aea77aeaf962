import { InteractionResponseType, InteractionType } from "discord.js";
import { generateKeyPairSync, sign, type KeyObject } from "node:crypto";
import { acknowledge, type Callback } from "./answers.ts";
import type { Description } from "./description.ts";
import type { Interaction } from "./interaction.ts";
import { readForm } from "./server.ts";
import type { World } from "./world.ts";

const CALLBACK = "POST /interactions/{interaction_id}/{interaction_token}/callback";

/** The key pair with which Discord signs what it sends over HTTP: Ed25519. */
export class SigningKey {
  /** Hex, as the developer portal shows it. */
  readonly publicKey: string;
  readonly #private: KeyObject;

  constructor() {
    const { publicKey, privateKey } = generateKeyPairSync("ed25519");
    this.publicKey = Buffer.from(publicKey.export({ format: "jwk" }).x ?? "", "base64url").toString("hex");
    this.#private = privateKey;
  }

  /** The signature's hex for a time stamp and a body. */
  sign(timestamp: string, body: string): string {
    return sign(null, Buffer.from(timestamp + body), this.#private).toString("hex");
  }
}

/** Brings interactions to the bot's own URL. */
export class Endpoint {
  readonly #world: World;
  readonly #url: string;
  readonly #key: SigningKey;
  readonly #description: Description | undefined;

  constructor(world: World, url: string, key: SigningKey, description: Description | undefined) {
    this.#world = world;
    this.#url = url;
    this.#key = key;
    this.#description = description;
  }

  /**
   * Pings the endpoint as Discord does when its URL is entered: it must answer a PONG, and 401 for a bad
   * signature.
   * @throws Error when it does not
   */
  async verify(): Promise<void> {
    const forged = await this.ping(true);
    if (forged.status !== 401) throw new Error(`The endpoint answered ${forged.status} to a bad signature.`);
    const answer = await this.ping(false);
    const body = answer.ok ? ((await answer.json()) as Callback) : undefined;
    if (body?.type !== InteractionResponseType.Pong) {
      throw new Error(`The endpoint answered ${answer.status} to a PING, not a PONG.`);
    }
  }

  /** @param forged whether the signature is of another body */
  ping(forged: boolean): Promise<Response> {
    const { id, applicationId } = { id: this.#world.id(), applicationId: this.#world.applicationId };
    return this.#post(
      JSON.stringify({
        id,
        application_id: applicationId,
        type: InteractionType.Ping,
        version: 1,
        token: "",
      }),
      forged,
    );
  }

  /** Sends an interaction; what the endpoint answers in time is the first answer. */
  async send(interaction: Interaction): Promise<void> {
    const response = await this.#post(JSON.stringify(interaction.payload()), false);
    // 202 says that the callback comes over REST.
    if (!response.ok || response.status === 202) return;
    const type = response.headers.get("content-type") ?? "";
    const { body, uploads } = type.startsWith("multipart/form-data")
      ? await readForm(await response.formData())
      : { body: await response.json(), uploads: [] };
    this.#description?.checkBody(CALLBACK, body);
    await acknowledge(this.#world, interaction, body as Callback, uploads);
  }

  #post(body: string, forged: boolean): Promise<Response> {
    const timestamp = String(Math.floor(this.#world.clock.now() / 1000));
    return fetch(this.#url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-signature-timestamp": timestamp,
        "x-signature-ed25519": this.#key.sign(timestamp, forged ? `${body} ` : body),
      },
      body,
    });
  }
}
