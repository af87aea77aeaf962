import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { fingerprintOf } from "../../../../adapters/http/body/fingerprint.ts";
import { readRequest } from "../../../../adapters/http/body/read-request.ts";
import { storeText } from "../../../../adapters/http/body/store-text.ts";
import { bodyHarness, idOf, inPieces, noise } from "../body-harness.ts";

const JSON_TYPE = "application/json; charset=utf-8";
const photo = noise(100_000);
const photo64 = photo.toString("base64");

/** A body that gives a byte whenever it is told to. */
function slowly() {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({ start: (given) => void (controller = given) });
  return {
    body,
    give: (text: string) => controller?.enqueue(Buffer.from(text)),
    fail: () => controller?.error(new Error("gone")),
  };
}

/** What a promise is refused with. */
const refusalOf = (reading: Promise<unknown>) =>
  reading.then(
    () => undefined,
    (error: unknown) => error,
  );

/** A form as browsers and curl send it, with its content type. */
async function form(parts: readonly (readonly [string, string | Buffer, string?])[]) {
  const data = new FormData();
  for (const [name, value, fileName] of parts) {
    if (typeof value === "string") data.append(name, value);
    else data.append(name, new Blob([Uint8Array.from(value)]), fileName ?? "photo.jpg");
  }
  const request = new Request("http://localhost", { method: "POST", body: data });
  return { type: request.headers.get("content-type") ?? "", body: Buffer.from(await request.arrayBuffer()) };
}

/** A request with a file of 65 MiB, decoded, and one that is none. */
async function* tooLarge() {
  yield Buffer.from('{"input":{"image":"');
  // Each piece without padding.
  for (let n = 0; n < 65 * 16; n++) {
    yield Buffer.alloc(65_535, "Reelay").toString("base64");
    await new Promise(setImmediate);
  }
  yield `","mask":"${photo64}."},"operation":"inpaint"}`;
}

describe("a JSON request", () => {
  it("has its files stored, and placeholders for them in its fields", async () => {
    await using at = await bodyHarness();
    const sent = {
      operation: "video",
      input: { image: photo64, prompt: 'ü "quoted"', more: [`data:image/jpeg;base64,${photo64}`] },
    };
    const { fields, files, form } = await at.read(
      JSON_TYPE,
      inPieces(JSON.stringify(sent), [1_000, 7, 30_000]),
    );
    expect(form).toBe(false);
    const [first = "", second = ""] = files.keys();
    expect(fields).toEqual({
      operation: "video",
      input: { image: first, prompt: 'ü "quoted"', more: [second] },
    });
    const stored = { surface: "http", id: idOf(photo), bytes: photo.length };
    expect([...files.values()]).toEqual([stored, stored]);
    expect(await at.contentOf(idOf(photo))).toEqual(photo);
    expect(await at.kept()).toEqual([idOf(photo)]);
  });

  it("names every field whose file is none, and keeps nothing", async () => {
    await using at = await bodyHarness();
    const broken = `${photo64}.${photo64}`;
    const sent = JSON.stringify({ input: { good: photo64, image: broken, images: [photo64, broken] } });
    await expect(at.read(JSON_TYPE, inPieces(sent, [4_096]))).rejects.toMatchObject({
      code: "field_not_file",
      fields: [{ field: "input.image" }, { field: "input.images.1" }],
    });
    expect(await at.kept()).toEqual([]);
  });

  it("is read to its end where a file is too large, and names what else is wrong", async () => {
    await using at = await bodyHarness();
    const texts = ReadableStream.from(tooLarge()).pipeThrough(
      new TransformStream<string | Buffer, Uint8Array>({
        transform: (text, controller) => controller.enqueue(Buffer.from(text)),
      }),
    );
    await expect(at.read(JSON_TYPE, texts)).rejects.toMatchObject({
      fields: [
        { field: "input.image", code: "media_too_large", params: { max: 67_108_864 } },
        { field: "input.mask", code: "field_not_file" },
      ],
    });
    expect(await at.kept()).toEqual([]);
  });

  it.each([
    ["", 0],
    ["{", 1],
    ['{"a": tru}', 9],
    ['{"ü": 1,}', 9],
    [`{"image": "${photo64}", "a": x}`, photo64.length + 19],
    [`{"image": "${photo64}`, photo64.length + 11],
    ['{"a": "no end', 13],
  ])("is told where it goes wrong: %.20s", async (text, place) => {
    await using at = await bodyHarness();
    await expect(at.read(JSON_TYPE, text)).rejects.toMatchObject({
      code: "body_unreadable",
      params: { at: place },
    });
    expect(await at.kept()).toEqual([]);
  });

  it.each(["[]", "null", '"x"', "7"])("is told that an object is expected: %s", async (text) => {
    await using at = await bodyHarness();
    await expect(at.read(JSON_TYPE, text)).rejects.toMatchObject({
      fields: [{ field: "body", code: "field_invalid", params: { field: "body", wanted: "wanted.object" } }],
    });
  });

  it("is refused where it is no UTF-8", async () => {
    await using at = await bodyHarness();
    await expect(at.read(JSON_TYPE, Buffer.from('{"a":"\xff"}', "latin1"))).rejects.toMatchObject({
      code: "body_unreadable",
    });
  });

  it("may hold the longest texts, however they are written, and not much more", async () => {
    await using at = await bodyHarness();
    for (const text of ["漢".repeat(20_000), "a".repeat(20_000), "\n".repeat(20_000)])
      expect((await at.read(JSON_TYPE, JSON.stringify({ text }))).fields["text"]).toBe(text);
    const escaped = "\\u00e9".repeat(20_000);
    expect((await at.read(JSON_TYPE, `{"text":"${escaped}"}`)).fields["text"]).toBe("é".repeat(20_000));
    await expect(at.read(JSON_TYPE, JSON.stringify({ text: "a b".repeat(200_000) }))).rejects.toMatchObject({
      code: "body_text_too_large",
      params: { max: 524_288 },
    });
  });

  it("is refused for too many files and for too many levels", async () => {
    await using at = await bodyHarness();
    const images = Array.from({ length: 21 }, () => photo64);
    await expect(at.read(JSON_TYPE, JSON.stringify({ images }))).rejects.toMatchObject({
      code: "too_many_files",
      params: { max: 20 },
    });
    const deep = `{"a":${"[".repeat(200_000)}${"]".repeat(200_000)}}`;
    await expect(at.read(JSON_TYPE, deep)).rejects.toMatchObject({ code: "body_too_deep" });
    expect(await at.kept()).toEqual([]);
  });

  it("cannot make up a placeholder", async () => {
    await using at = await bodyHarness();
    const first = await at.read(JSON_TYPE, JSON.stringify({ image: photo64 }));
    const [placeholder = ""] = first.files.keys();
    const second = await at.read(JSON_TYPE, JSON.stringify({ image: photo64, prompt: placeholder }));
    expect(second.files.has(placeholder)).toBe(false);
    expect(second.fields["prompt"]).toBe(placeholder);
  });
});

describe("a form", () => {
  it("is what the same request would be in JSON", async () => {
    await using at = await bodyHarness();
    const { type, body } = await form([
      ["operation", "vid3"],
      ["in_app_username", "Zoë"],
      ["metadata", '{"order":7}'],
      ["webhook", "https://example.com/hook"],
      ["prompt", "slow zoom"],
      ["images", photo, "Ünicode.png"],
      ["images", noise(10)],
      ["audios[]", noise(20), "a.mp3"],
    ]);
    const { fields, files, form: isForm } = await at.read(type, inPieces(body, [4_096, 1]));
    // Stored in any order, but counted as they came.
    const [first = "", second = "", third = ""] = [...files.keys()].sort();
    expect(isForm).toBe(true);
    expect(fields).toEqual({
      operation: "vid3",
      in_app_username: "Zoë",
      metadata: { order: 7 },
      webhook: "https://example.com/hook",
      input: { prompt: "slow zoom", images: [first, second], audios: [third] },
    });
    expect(files.get(first)).toEqual({
      surface: "http",
      id: idOf(photo),
      bytes: photo.length,
      name: "Ünicode.png",
    });
    expect(await at.contentOf(files.get(third)?.id ?? "")).toEqual(noise(20));
  });

  it.each([
    ["metadata that is no JSON", [["metadata", "{"]], "field_invalid"],
    ["a webhook that is none", [["webhook", "{"]], "field_invalid"],
    [
      "two operations",
      [
        ["operation", "a"],
        ["operation", "b"],
      ],
      "field_invalid",
    ],
    ["a text that is too long", [["prompt", "a".repeat(131_073)]], "body_text_too_large"],
    [
      "texts that are too long together",
      Array.from({ length: 5 }, (_, n) => [`t${n}`, "a".repeat(120_000)]),
      "body_text_too_large",
    ],
    ["a name that is too long", [["n".repeat(101), "a"]], "body_unreadable"],
    ["too many parts", Array.from({ length: 101 }, (_, n) => [`t${n}`, "a"]), "too_many_parts"],
    ["too many files", Array.from({ length: 21 }, () => ["images", noise(9)]), "too_many_files"],
  ] as [string, [string, string | Buffer][], string][])(
    "is refused for %s, and keeps nothing",
    async (_, parts, code) => {
      await using at = await bodyHarness();
      const { type, body } = await form([["image", photo], ...parts]);
      await expect(at.read(type, body)).rejects.toMatchObject({ code });
      expect(await at.kept()).toEqual([]);
    },
  );

  it("is refused where it breaks off or has no boundary, and keeps nothing", async () => {
    await using at = await bodyHarness();
    const { type, body } = await form([
      ["image", photo],
      ["prompt", "x"],
    ]);
    for (const length of [0, 50, 5_000, body.length - 60, body.length - 8])
      await expect(at.read(type, body.subarray(0, length))).rejects.toMatchObject({
        code: "body_unreadable",
        params: { at: length },
      });
    await expect(at.read("multipart/form-data", body)).rejects.toMatchObject({ code: "body_unreadable" });
    expect(await at.kept()).toEqual([]);
  });

  it("cannot reach behind its own names", async () => {
    await using at = await bodyHarness();
    const { type, body } = await form([
      ["__proto__", "x"],
      ["constructor", "y"],
    ]);
    const { fields } = await at.read(type, body);
    expect(JSON.stringify(fields)).toBe('{"input":{"__proto__":"x","constructor":"y"}}');
    expect(Object.getPrototypeOf(fields["input"])).toBe(Object.prototype);
  });
});

describe("what a request's body may be", () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] }));
  afterEach(() => vi.useRealTimers());

  it.each(["text/plain", "application/x-www-form-urlencoded", "application/jsonx"])(
    "is JSON or a form, not %j",
    async (type) => {
      await using at = await bodyHarness();
      await expect(at.read(type, "{}")).rejects.toMatchObject({
        code: "body_type",
        params: { found: type, wanted: "application/json, multipart/form-data" },
      });
    },
  );

  it.each(["", ";charset=utf-8"])("is not read where it does not say its type: %j", async (type) => {
    await using at = await bodyHarness();
    await expect(at.read(type, "{}")).rejects.toMatchObject({
      code: "body_type_missing",
      params: { wanted: "application/json, multipart/form-data" },
    });
  });

  it("is refused before a byte is read where it says itself that it is too large", async () => {
    await using at = await bodyHarness();
    const body = inPieces("{}");
    await expect(at.read(JSON_TYPE, body, { "content-length": "134217729" })).rejects.toMatchObject({
      code: "body_too_large",
      params: { max: 134_217_728 },
    });
    expect(body.locked).toBe(false);
    expect((await body.getReader().read()).value).toHaveLength(2);
  });

  it("is counted as it comes where it does not say", async () => {
    await using at = await bodyHarness();
    const request = {
      headers: new Headers({ "content-type": JSON_TYPE }),
      body: inPieces(`{"image":"${photo64}"}`),
    };
    const bounds = { bytes: 100_000, idleMs: 1_000, wholeMs: 1_000 };
    await expect(readRequest(request, at.files, at.hold, bounds)).rejects.toMatchObject({
      code: "body_too_large",
      params: { max: 100_000 },
    });
    expect(await at.kept()).toEqual([]);
  });

  it("may pause for half a minute, and no longer", async () => {
    await using at = await bodyHarness();
    const { body, give } = slowly();
    const refusal = refusalOf(at.read(JSON_TYPE, body));
    give("{");
    await vi.advanceTimersByTimeAsync(29_999);
    give(" ");
    await vi.advanceTimersByTimeAsync(29_999);
    // One for the silence, one for the whole.
    expect(vi.getTimerCount()).toBe(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(await refusal).toMatchObject({ code: "body_too_slow", params: { idle: 30, whole: 600 } });
  });

  it("may take ten minutes, and no longer", async () => {
    await using at = await bodyHarness();
    const { body, give } = slowly();
    const started = Date.now();
    const endedAt = refusalOf(at.read(JSON_TYPE, body)).then((error) => ({
      error,
      ms: Date.now() - started,
    }));
    for (let n = 0; n < 61; n++) {
      give(" ");
      await vi.advanceTimersByTimeAsync(10_000);
    }
    expect(await endedAt).toMatchObject({ error: { code: "body_too_slow" }, ms: 600_000 });
  });

  it("leaves nothing where its sender goes away", async () => {
    await using at = await bodyHarness();
    const { body, give, fail } = slowly();
    const refusal = refusalOf(at.read(JSON_TYPE, body));
    give(`{"image":"${photo64}`);
    await vi.advanceTimersByTimeAsync(1);
    fail();
    expect(await refusal).toMatchObject({ code: "body_unreadable" });
    expect(await at.kept()).toEqual([]);
  });
});

describe("a file given as a short text", () => {
  it("is stored from base64 and data URIs, and stays an address where it is one", async () => {
    await using at = await bodyHarness();
    const small = noise(50);
    const stored = { surface: "http", id: idOf(small), bytes: 50 };
    for (const text of [small.toString("base64"), `data:image/png;base64,${small.toString("base64")}`])
      expect(await storeText("image", text, at.files, at.hold)).toEqual(stored);
    expect(await storeText("image", "https://example.com/a.jpg", at.files, at.hold)).toEqual({
      surface: "http",
      id: "https://example.com/a.jpg",
    });
  });

  it.each(["", "photo.jpg", "ftp://example.com/a", "data:text/plain,hello"])(
    "is refused by its field where it is neither: %j",
    async (text) => {
      await using at = await bodyHarness();
      await expect(storeText("image", text, at.files, at.hold)).rejects.toMatchObject({
        code: "field_not_file",
        params: { field: "image" },
      });
    },
  );
});

describe("a request's fingerprint", () => {
  it("is that of its contents, however they are written", async () => {
    await using at = await bodyHarness();
    const print = async (type: string, body: string | Buffer) => fingerprintOf(await at.read(type, body));
    const one = await print(JSON_TYPE, JSON.stringify({ a: 1, b: { c: photo64, d: [true, null] } }));
    const same = `{ "b": {"d": [true,null],\n"c": "${photo64.replaceAll("/", "\\/")}"}, "a": 1.0 }`;
    expect(await print(JSON_TYPE, same)).toBe(one);
    for (const other of [
      { a: 1, b: { c: noise(99_999).toString("base64"), d: [true, null] } },
      { a: 1, b: { c: `file ${idOf(photo)}`, d: [true, null] } },
      { a: 1, b: { c: photo64, d: [null, true] } },
      { a: "1", b: { c: photo64, d: [true, null] } },
    ])
      expect(await print(JSON_TYPE, JSON.stringify(other))).not.toBe(one);
  });

  it("does not know a form's boundary", async () => {
    await using at = await bodyHarness();
    const [one, two] = [await form([["image", photo]]), await form([["image", photo]])];
    expect(one.type).not.toBe(two.type);
    const prints = await Promise.all(
      [one, two].map(async ({ type, body }) => fingerprintOf(await at.read(type, body))),
    );
    expect(prints[0]).toBe(prints[1]);
  });
});
