import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readConfig, secretsIn } from "../../../src/app/config.ts";
import { examine } from "../../../src/app/doctor.ts";
import { openFiles } from "../../../src/app/places/files.ts";
import { ConfigError } from "../../../src/common/config-error.ts";
import { testS3 } from "../../contract/files/stores.ts";
import { Child } from "../../support/crash-child.ts";
import { KEYS, TestS3 } from "../../support/s3/store.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

/** What the doctor says of the place of files. */
async function files(env: Readonly<Record<string, string>>) {
  const checks = await examine({
    REELAY_DATA: temporaryFolder(),
    REELAY_API_URL: "http://127.0.0.1:1/api",
    ...env,
  });
  return checks.filter(({ name }) => name === "files" || name === "settings");
}

describe("the place of files", () => {
  it("is the data folder unless another is set", () => {
    expect(readConfig({ REELAY_DATA: "/d" }).files).toEqual({ folder: "/d" });
    expect(readConfig({ REELAY_DATA: "/d", REELAY_FILES: "file:/shared/a%20folder" }).files).toEqual({
      folder: "/shared/a folder",
    });
    expect(readConfig({ REELAY_FILES: "file:///shared" }).files).toEqual({ folder: "/shared" });
  });

  it("may be a bucket, whose keys are in the environment alone", () => {
    const env = {
      REELAY_FILES: "s3://films/reelay?endpoint=http://minio:9000",
      AWS_ACCESS_KEY_ID: KEYS.accessKeyId,
      AWS_SECRET_ACCESS_KEY: KEYS.secretAccessKey,
    };
    const config = readConfig(env);
    expect(config.files).toMatchObject({ bucket: { bucket: "films", prefix: "reelay/" } });
    expect(secretsIn(config)).toContain(KEYS.secretAccessKey);
    const { AWS_ACCESS_KEY_ID: _, ...lacking } = env;
    expect(() => readConfig(lacking)).toThrow(
      "AWS_ACCESS_KEY_ID: found nothing, wanted the id of the key that opens the bucket of REELAY_FILES",
    );
    // Whoever has them for something else is not asked for more.
    expect(readConfig({ AWS_ACCESS_KEY_ID: "x", AWS_REGION: "eu-central-1" }).files).toMatchObject({
      folder: expect.any(String) as string,
    });
  });

  it.each([
    "s3://key:a-secret-of-mine@films",
    "file:relative",
    "minio:9000/a-secret-of-mine",
    "file://host/share",
  ])("is not %s, which is not repeated", (REELAY_FILES) => {
    const reading = () => readConfig({ REELAY_FILES });
    expect(reading).toThrow(ConfigError);
    expect(reading).toThrow("REELAY_FILES: found a value that does not fit, wanted file:/SHARED/FOLDER, or");
    expect(reading).not.toThrow("a-secret-of-mine");
  });

  it("that is a folder must be writable", async () => {
    const data = temporaryFolder();
    const folder = join(data, "shared");
    await writeFile(join(data, "file"), "");
    const config = { data, files: { folder: join(data, "file", "below") } };
    await expect(openFiles(config, data)).rejects.toThrow("wanted a folder that can be written to (E");
    const opened = await openFiles({ data, files: { folder } }, data);
    await opened.room("media");
    expect(await files({ REELAY_FILES: `file:${folder}` })).toMatchObject([
      { name: "settings", ok: true },
      {
        ok: true,
        found: expect.stringMatching(/shared: a file was kept, read, listed and erased in \d+ ms$/) as string,
      },
    ]);
  });

  it("that is a bucket is tried out by the doctor, which never says its key", async () => {
    const store = await testS3();
    const [, found] = await files(store.env);
    expect(found).toMatchObject({ ok: true });
    expect(found?.found).toMatch(
      /^s3:\/\/reelay-files\/some\/prefix\/ at http:.*: a file was kept, read, listed and erased in \d+ ms; clocks [01] s apart$/,
    );
    expect(store.objects.kept.size).toBe(0);
    const wrong = await files({ ...store.env, AWS_SECRET_ACCESS_KEY: "x".repeat(40) });
    expect(wrong).toMatchObject([
      {},
      { ok: false, found: expect.stringContaining("says SignatureDoesNotMatch (403)") as string },
    ]);
    expect(JSON.stringify([found, wrong])).not.toMatch(/xxxxx|wJalrX/);
    const none = store.env.REELAY_FILES.replace("reelay-files", "another");
    expect(await files({ ...store.env, REELAY_FILES: none })).toMatchObject([
      {},
      { ok: false, found: expect.stringContaining("there is no such bucket") as string },
    ]);
  });

  it("that is a bucket with another clock is said to be", async () => {
    const store = await testS3({ aheadMs: -30 * 60_000 });
    expect(await files(store.env)).toMatchObject([
      {},
      // And however long it took to ask.
      { ok: false, found: expect.stringMatching(/clocks 1[78]\d\d s apart/) as string },
    ]);
  });

  it("that does not open keeps Reelay from starting, and its key is nowhere said", async () => {
    await using store = await TestS3.start();
    const secret = "a-wrong-key-of-forty-characters-at-least";
    const env = { ...store.env, AWS_SECRET_ACCESS_KEY: secret, REELAY_API_URL: "http://127.0.0.1:1/api" };
    using child = new Child({ data: temporaryFolder(), env });
    expect(await child.ended()).not.toBe(0);
    expect(child.output).toContain("wanted a bucket that AWS_ACCESS_KEY_ID opens");
    expect(child.output).not.toContain(secret);
  });
});
