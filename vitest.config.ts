import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Real processes, browsers and renderings: slow on a busy machine, never endless.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
