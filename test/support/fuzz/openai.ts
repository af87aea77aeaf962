import { z } from "zod";
import type { Json } from "../../../src/common/json.ts";
import type { TestGateway } from "../gateway.ts";
import { drawn } from "../keys.ts";
import { testPicture } from "../sandbox.ts";
import type { Fuzzed } from "./fuzz.ts";
import { hostileText, hostileValue, spoilt } from "./hostile.ts";
import { chance, type Draw, pick } from "./values.ts";

/** A refusal of OpenAI's. */
const refusal = z.object({
  error: z.object({
    message: z.string().min(1),
    type: z.string(),
    param: z.string().nullable(),
    code: z.string(),
  }),
});

const STATUSES = new Set([200, 400, 401, 402, 403, 404, 408, 409, 410, 413, 415, 429]);

const MODELS = ["image", "image-edit", "inpaint", "video", "video-audio", "vid3", "imgpro-edit", "sora-2"];
const FIELDS: Readonly<Record<string, readonly Json[]>> = {
  prompt: ["a cat"],
  n: [1, "1", 2],
  size: ["auto", "1024x1024", "1280x720", "0x0"],
  seconds: ["5", 8, "4"],
  quality: ["auto", "high"],
  response_format: ["url", "b64_json"],
  user: ["jo"],
  stream: [false, true],
  seed: [1, "1"],
};

function drawnBody(draw: Draw, picture: string): Json {
  const file = () => (chance(draw, 50) ? picture : { image_url: `data:image/jpeg;base64,${picture}` });
  const entries: [string, Json][] = [["model", pick(draw, MODELS)]];
  for (const [name, values] of Object.entries(FIELDS))
    if (chance(draw, 30)) entries.push([name, chance(draw, 80) ? pick(draw, values) : hostileValue(draw)]);
  for (const name of ["image", "images", "mask", "input_reference"])
    if (chance(draw, 25)) entries.push([name, chance(draw, 80) ? file() : hostileValue(draw)]);
  const body = Object.fromEntries(entries);
  return chance(draw, 40) ? spoilt(draw, body) : body;
}

/** Sends what OpenAI's programs send, in order or not, and looks whether each refusal is one that they can read. */
export async function fuzzOpenAi(
  gateway: Pick<TestGateway, "url" | "join">,
  { seed, count }: { readonly seed: string; readonly count: number },
): Promise<Fuzzed> {
  const draw = drawn(seed);
  const picture = await testPicture(64, 64);
  const { token } = await gateway.join("openai", { requestsPerMinute: 1_000_000 });
  const statuses = new Map<number, number>();
  const findings: string[] = [];
  for (let nth = 0; nth < count; nth++) {
    const place = pick(draw, ["images/generations", "images/edits", "videos", "videos/x/content", "models"]);
    const posts = chance(draw, 80);
    const query = posts ? "" : `?limit=${encodeURIComponent(hostileText(draw).toWellFormed())}`;
    const body = JSON.stringify(drawnBody(draw, picture));
    const answer = await fetch(`${gateway.url}/openai/v1/${place}${query}`, {
      method: posts ? "POST" : pick(draw, ["GET", "DELETE", "PUT"]),
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(posts && { body: chance(draw, 5) ? body.slice(0, draw(body.length)) : body }),
    });
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    const text = await answer.text();
    const isRight = STATUSES.has(answer.status) && (answer.ok || refusal.safeParse(JSON.parse(text)).success);
    if (!isRight)
      findings.push(`#${nth} ${place}${query} ${body.slice(0, 400)}: ${answer.status} ${text.slice(0, 300)}`);
  }
  return { statuses, findings };
}
