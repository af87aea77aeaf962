// A picture, and a film of it, with OpenAI's own client: only the address and the key are Reelay's.
//
//   npm install openai
//   REELAY_URL=https://reelay.example REELAY_TOKEN=... node openai.mjs "a lighthouse at dusk" "slow zoom" video.mp4
import { writeFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import OpenAI, { toFile } from "openai";

const { REELAY_URL = "http://127.0.0.1:8787", REELAY_TOKEN } = process.env;
const [words, prompt, path = "video.mp4"] = process.argv.slice(2);
const say = (line) => process.stdout.write(`${line}\n`);

try {
  if (!words || !prompt || !REELAY_TOKEN)
    throw new Error("usage: REELAY_TOKEN=... node openai.mjs PICTURE PROMPT [VIDEO]");
  const client = new OpenAI({ baseURL: `${REELAY_URL}/openai/v1`, apiKey: REELAY_TOKEN });

  // Waits until the picture is there. A call that is repeated over a broken line is charged once.
  const { data, output_format } = await client.images.generate({ model: "image", prompt: words });
  const picture = Buffer.from(data[0].b64_json, "base64");
  say(`Picture: ${picture.length} bytes`);

  // `model` is one of Reelay's operations, and takes its fields beside OpenAI's.
  const film = { model: "video", prompt, seconds: "5", orientation: "square" };
  let video = await client.videos.create({
    ...film,
    input_reference: await toFile(picture, `picture.${output_format}`),
  });
  say(`Accepted: ${video.id}`);
  while (video.status === "queued" || video.status === "in_progress") {
    await pause(1000);
    video = await client.videos.retrieve(video.id);
    say(`  ${video.status} ${video.progress}%`);
  }
  if (video.error) throw new Error(video.error.message);
  const content = await client.videos.downloadContent(video.id);
  await writeFile(path, Buffer.from(await content.arrayBuffer()));
  say(`Saved: ${path}`);
} catch (error) {
  // Of what is refused, `error.param` names the field and `error.code` the reason.
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
