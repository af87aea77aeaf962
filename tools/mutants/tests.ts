import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** Tests of what a file is for that are not in the folder that mirrors its own. */
const ELSEWHERE: readonly (readonly [string, readonly string[]])[] = [
  ["adapters/http/jobs/idempotency.ts", ["test/adapters/http/jobs/idempotency.test.ts"]],
  [
    "src/domain/jobs/",
    [
      "test/app/core.test.ts",
      "test/domain/commands/commands.test.ts",
      "test/domain/commands/blocked.test.ts",
      "test/domain/usage",
    ],
  ],
  ["src/domain/commands/moderate.ts", ["test/domain/reports"]],
  ["src/domain/keys/", ["test/adapters/http/keys.test.ts", "test/adapters/http/echoes.test.ts"]],
  ["src/infrastructure/storage/exclusive.ts", ["test/contract/storage"]],
  ["src/infrastructure/net/", ["test/domain/webhooks/sending.test.ts"]],
  ["src/domain/policy/", ["test/domain/commands/rules.test.ts"]],
  ["src/domain/webhooks/", ["test/adapters/http/webhooks.test.ts"]],
];

/**
 * The test files that belong to a source, in the order in which they are worth asking: of the folder that mirrors its own
 * or one around it the one of its name with those that import it, and the rest; then those elsewhere, which go first where none
 * is so near.
 * @param root where they are looked for
 */
export function testsOf(root: string, file: string): string[][] {
  const around = foldersAround(dirname(file).replace(/^src\//, ""))
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => readdirSync(join(root, folder)).map((each) => join(folder, each)))
    .filter((path) => path.endsWith(".test.ts"));
  // Its types alone make no difference.
  const imports = new RegExp(`^import (?!type )[^;]*/${file.replaceAll(".", "\\.")}"`, "m");
  const importing = readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" })
    .map((path) => join("test", path))
    .filter((path) => path.endsWith(".test.ts") && imports.test(readFileSync(join(root, path), "utf8")));
  const ownName = basename(file).replace(/\.ts$/, ".test.ts");
  const near = around.filter((test) => basename(test) === ownName || importing.includes(test));
  const rest = around.filter((test) => !near.includes(test));
  const named = ELSEWHERE.filter(([start]) => file.startsWith(start)).flatMap(([, tests]) => tests);
  const elsewhere = [...new Set([...importing.filter((test) => !near.includes(test)), ...named])];
  const order = near.length > 0 ? [near, rest, elsewhere] : [elsewhere, rest];
  return order.filter((tests) => tests.length > 0);
}

/** The folder of tests that mirrors a room's, and those around it as far as they are of the same subject: `domain/jobs`. */
function foldersAround(room: string): readonly string[] {
  const parts = room.split("/");
  const depths = parts.map((_, index) => parts.length - index).filter((depth) => depth > 1);
  return depths.map((depth) => join("test", ...parts.slice(0, depth)));
}
