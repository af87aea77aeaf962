import { randomUUID } from "node:crypto";
import { z } from "zod";
import { makeSigner } from "../../infrastructure/media/files/signed.ts";
import { CHATS, type UserId } from "../values.ts";
import type { SurfaceHost } from "./host.ts";
import { currentTime } from "../../common/time.ts";

/** Where everybody's page is, below the public address. */
export const STUDIO_PATH = "/app";

/** How long a sign-in may be begun with what proves who somebody is, in milliseconds. */
export const SIGN_IN_MS = 10 * 60_000;

/** What proves who somebody is. */
export interface Proof {
  readonly user: UserId;
  /** Tells it from every other one: each opens one session. */
  readonly id: string;
  /** When it was made, in milliseconds since 1970. */
  readonly at: number;
}

const ticket = z.object({
  user: z.templateLiteral([z.enum(CHATS), ":", z.string()]),
  id: z.string(),
  at: z.number(),
});

/** The address of everybody's page; undefined where people have no way to it. */
export function studioAddress({ publicUrl }: Pick<SurfaceHost["config"], "publicUrl">): string | undefined {
  return publicUrl === undefined ? undefined : `${publicUrl}${STUDIO_PATH}`;
}

/** Links that sign somebody in on everybody's page who asked for one in a chat. */
export interface SignInLinks {
  /** A link for one person. The page reads its fragment, which no preview of the link ever sends. */
  make(address: string, user: UserId): Promise<string>;
  /** What a link's fragment proves; undefined for one that was not made here. */
  read(given: string): Promise<Proof | undefined>;
}

/** Makes and reads links, in whichever process of the data folder. */
export function signInLinks({ memory }: Pick<SurfaceHost, "memory">): SignInLinks {
  const kept = memory("web");
  const signer = makeSigner({ once: (key, make, ttlMs) => kept.once(`sign-in:${key}`, make, ttlMs) });
  return {
    async make(address, user) {
      const proof: Proof = { user, id: randomUUID(), at: currentTime() };
      return `${address}#in=${await signer.sign({ ...proof })}`;
    },
    async read(given) {
      const value = await signer.verify(given);
      return value === undefined ? undefined : ticket.parse(value);
    },
  };
}
