import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { Client } from "pg";
import { Line } from "../../src/common/line.ts";

/** What PgBouncer takes of what a connection begins with; the rest it refuses (`ignore_startup_parameters`). */
const TAKEN = new Set(["user", "database", "client_encoding", "application_name"]);

/** Messages of PostgreSQL's protocol: a letter, the length of what follows, itself included, and that. */
function framesOf(socket: Socket, hear: (letter: string, frame: Buffer) => void): void {
  let bytes = Buffer.alloc(0);
  socket.on("data", (more: Buffer) => {
    bytes = Buffer.concat([bytes, more]);
    while (bytes.length >= 5 && bytes.length > bytes.readInt32BE(1)) {
      const frame = bytes.subarray(0, 1 + bytes.readInt32BE(1));
      bytes = bytes.subarray(frame.length);
      hear(String.fromCharCode(frame[0] ?? 0), frame);
    }
  });
}

const message = (letter: string, body: Buffer) => {
  const head = Buffer.from(`${letter}0000`);
  head.writeInt32BE(4 + body.length, 1);
  return Buffer.concat([head, body]);
};

const unheard = () => {};

const WELCOME = Buffer.concat([message("R", Buffer.alloc(4)), message("Z", Buffer.from("I"))]);

/** A pooler with one session of a server, which it lends to whoever has something to say: PgBouncer with `pool_mode = transaction`. */
export async function startPooler(server: string): Promise<{ readonly port: number } & AsyncDisposable> {
  const session = new Client({ connectionString: server });
  session.on("error", unheard);
  await session.connect();
  const { stream: far } = (session as unknown as { readonly connection: { readonly stream: Socket } })
    .connection;
  far.removeAllListeners("data");
  let answer: (letter: string, frame: Buffer) => void = unheard;
  framesOf(far, (letter, frame) => answer(letter, frame));
  const line = new Line();
  const near = new Set<Socket>();

  /** Has one of the clients say something; the session is theirs until their transaction has ended. */
  function lend(client: Socket): (said: Buffer) => void {
    let tell: ((said: Buffer) => void) | undefined;
    return (said) => {
      if (tell) return tell(said);
      void line.run("session", async () => {
        const { promise, resolve } = Promise.withResolvers<void>();
        answer = (letter, frame) => {
          client.write(frame);
          if (letter === "Z" && frame.at(-1) === "I".charCodeAt(0)) resolve();
        };
        tell = (more) => void far.write(more);
        tell(said);
        await promise;
        tell = undefined;
      });
    };
  }

  function take(client: Socket): void {
    near.add(client);
    client.on("error", () => client.destroy());
    client.once("data", (begin: Buffer) => {
      // After its length and the protocol's version: names and values, each with a zero byte behind it.
      const words = begin.subarray(8).toString().split("\0");
      const refused = words.find((word, nth) => nth % 2 === 0 && word !== "" && !TAKEN.has(word));
      if (refused !== undefined) {
        const fields = `SFATAL\0VFATAL\0C08P01\0Munsupported startup parameter: ${refused}\0\0`;
        client.end(message("E", Buffer.from(fields)));
        return;
      }
      const say = lend(client);
      let said: Buffer[] = [];
      framesOf(client, (letter, frame) => {
        if (letter === "X") client.end();
        said.push(frame);
        // A query, or the end of one that came in parts.
        if (letter !== "Q" && letter !== "S") return;
        say(Buffer.concat(said));
        said = [];
      });
      client.write(WELCOME);
    });
  }

  const listening = createServer(take).listen(0, "127.0.0.1");
  await once(listening, "listening");
  return {
    port: (listening.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      for (const client of near) client.destroy();
      listening.close();
      far.destroy();
    },
  };
}
