import { execFileSync, spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { isSecret, readConfig, settings } from "../../src/app/config.ts";

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

/** Every name of a setting in a text, commented ones included. */
const namesIn = (text: string) =>
  new Set(
    [...text.matchAll(/\b(?:REELAY|TELEGRAM|DISCORD|WHATSAPP|OTEL|AWS)_[A-Z][A-Z0-9_]+\b/g)].map(
      ([name]) => name,
    ),
  );

const isThere = (program: string) => spawnSync(program, ["version"]).status === 0;

const compose = z.object({
  services: z.record(
    z.string(),
    z.object({
      environment: z.record(z.string(), z.string()).default({}),
      env_file: z.array(z.object({ path: z.string(), required: z.boolean() })).default([]),
      volumes: z.array(z.string()).default([]),
    }),
  ),
  volumes: z.record(z.string(), z.null()),
});

const chart = globSync("deploy/helm/**/*", { cwd: new URL("../..", import.meta.url), withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => readFileSync(`${entry.parentPath}/${entry.name}`, "utf8"));

describe("compose.cluster.yaml", () => {
  const { services, volumes } = compose.parse(parse(read("compose.cluster.yaml"), { merge: true }));

  it("names no setting that there is not", () => {
    const names = namesIn(read("compose.cluster.yaml"));
    expect(names.size).toBeGreaterThan(5);
    expect([...names].filter((name) => !(name in settings.shape))).toEqual([]);
  });

  it("has two nodes with one database, one place for files, one secret and the same bots", () => {
    const [one = {}, two = {}] = [services["node-1"]?.environment, services["node-2"]?.environment];
    expect(two).toEqual(one);
    // As somebody fills it in who has set what there is no default for.
    const filled = Object.entries(two).map(([name, value]) => [
      name,
      value.replaceAll(/\$\{(\w+):([?-])([^}]*)\}/g, (_, of: string, sign: string, fallback: string) =>
        sign === "-"
          ? fallback
          : of === "REELAY_API_URL"
            ? "https://service.example/api"
            : `own-${of}-own-own`,
      ),
    ]);
    const config = readConfig(Object.fromEntries(filled) as Record<string, string>);
    expect(config.postgres).toContain("@postgres/reelay");
    expect(config.files).toMatchObject({ bucket: { bucket: "reelay", endpoint: "http://store:9000" } });
    expect([config.apiKey, config.publicUrl]).toEqual([undefined, "http://localhost:8080"]);
  });

  it("hands each node whatever is set in .env, so that no setting has to be listed", () => {
    for (const node of ["node-1", "node-2"])
      expect(services[node]?.env_file).toEqual([{ path: ".env", required: false }]);
  });

  it("gives each its own folder, and keeps all that is kept", () => {
    const used = Object.values(services).flatMap((one) => one.volumes.map((volume) => volume.split(":")[0]));
    expect(new Set(used).size).toBe(used.length);
    expect(Object.keys(volumes).toSorted()).toEqual(used.map(String).toSorted());
  });
});

describe("the Helm chart", () => {
  const values = parse(read("deploy/helm/values.yaml")) as {
    settings: Record<string, string>;
  };
  const fits = new Ajv({ strict: true }).compile(
    JSON.parse(read("deploy/helm/values.schema.json")) as object,
  );

  const takes = (name: string, value: unknown) =>
    fits({ ...values, settings: { ...values.settings, [name]: value } });

  it("names no setting that there is not", () => {
    const names = namesIn(chart.join("\n"));
    expect(names.size).toBeGreaterThan(5);
    expect([...names].filter((name) => !(name in settings.shape))).toEqual([]);
  });

  it("takes its own values, and no secret among the settings, which everybody reads", () => {
    expect(fits(values), JSON.stringify(fits.errors)).toBe(true);
    expect(takes("REELAY_FILES", "s3://films/reelay?endpoint=https://store.internal")).toBe(true);
    expect(takes("REELAY_LOG_LEVEL", "warn")).toBe(true);
    for (const [name, value] of [
      ["REELAY_SECRET", "a long secret"],
      ["REELAY_STORE", "postgres://reelay:password@db/reelay"],
      ["TELEGRAM_BOT_TOKEN", "1:x"],
      ["REELAY_FILES", "file:/data"],
      ["REELAY_API_URL", "service.example"],
      ["REELAY_POLL_MS", 5_000],
      ["HOME", "/"],
    ])
      expect([name, takes(String(name), value)]).toEqual([name, false]);
    expect(fits({ ...values, replica: 2 })).toBe(false);
  });

  describe("of every setting", () => {
    const names = Object.keys(settings.shape);
    /** What fits those that take not just anything: of what may hold a secret, what holds none. */
    const open: Readonly<Record<string, string>> = {
      REELAY_API_URL: "https://service.example/api",
      REELAY_PUBLIC_URL: "https://films.example",
      // What opens the bucket is in settings of its own.
      REELAY_FILES: "s3://films",
      REELAY_ALERTS_TO: "telegram:-10012,discord:1",
      REELAY_REPORTS_TO: "telegram:-10012",
      REELAY_EGRESS: "near,far=10.0.0.5",
    };

    it.each(names)("takes %s unless it is a secret", (name) => {
      const isTaken = !isSecret(name) || name in open;
      expect(takes(name, open[name] ?? "any"), JSON.stringify(fits.errors)).toBe(isTaken);
    });

    it.each([
      ["REELAY_ALERTS_TO", "telegram:-10012,https://hooks.example/its-secret"],
      ["REELAY_REPORTS_TO", "https://hooks.example/its-secret"],
      ["REELAY_EGRESS", "out=http://user:password@proxy.internal"],
    ])("takes no %s with a secret in it", (name, value) => {
      expect(takes(name, value)).toBe(false);
    });

    it("says which secrets the Secret may have", () => {
      const [said = ""] = read("deploy/helm/values.yaml").split("secretName:");
      // An agent's token is no server's, and the bucket's address opens nothing.
      const elsewhere = new Set(["REELAY_TOKEN", "REELAY_FILES"]);
      const kept = names.filter((name) => isSecret(name) && !elsewhere.has(name));
      expect(kept.length).toBeGreaterThan(10);
      expect(kept.filter((name) => !namesIn(said).has(name))).toEqual([]);
    });
  });

  it.each(["nodes", "service"])("is YAML once its values are filled in (%s)", (name) => {
    const template = read(`deploy/helm/templates/${name}.yaml`);
    // Actions that stand alone in a line print lines of their own, or nothing.
    const filled = template.replaceAll(/^ *\{\{-.*\}\}\n/gm, "").replaceAll(/\{\{.*?\}\}/g, "value");
    const { kind, metadata } = parse(filled) as { kind: string; metadata: { name: string } };
    expect([kind, metadata.name]).toEqual([name === "nodes" ? "Deployment" : "Service", "value"]);
    expect(filled).not.toMatch(/\{ *\{/);
  });

  it("uses no value that there is not", () => {
    const used = new Set(
      chart.flatMap((text) => [...text.matchAll(/\.Values\.([\w.]+)/g)].map(([, path]) => path ?? "")),
    );
    expect(used.size).toBeGreaterThan(8);
    const missing = [...used].filter((path) => {
      let at: unknown = values;
      for (const name of path.split(".")) at = (at as Record<string, unknown> | undefined)?.[name];
      return at === undefined;
    });
    expect(missing).toEqual([]);
  });

  it("keeps Kubernetes from setting what only looks like settings", () => {
    expect(() => readConfig({ REELAY_PORT: "tcp://10.0.0.1:80" })).toThrow("REELAY_PORT");
    expect(read("deploy/helm/templates/nodes.yaml")).toContain("enableServiceLinks: false");
  });

  const hasHelm = isThere("helm");
  if (!hasHelm) process.stderr.write("There is no helm here: the chart's templates are not tried.\n");

  it.runIf(hasHelm)("passes helm lint", () => {
    const dir = new URL("../../deploy/helm", import.meta.url).pathname;
    expect(execFileSync("helm", ["lint", "--strict", dir], { encoding: "utf8" })).toContain(
      "0 chart(s) failed",
    );
  });
});
