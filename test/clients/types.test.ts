import { expect, it } from "vitest";
import type { OpenApi } from "../../adapters/http/openapi/model.ts";
import { clientTypes } from "../../tools/docs/client-types.ts";
import { openGateway } from "../support/gateway.ts";
import { testSandbox } from "../support/sandbox.ts";

it("the types of the client are those of the gateway's document: `npm run docs:client` writes them", async () => {
  await using sandbox = await testSandbox();
  await using gateway = await openGateway(sandbox);
  const document = (await (await fetch(`${gateway.url}/v1/openapi.json`)).json()) as OpenApi;
  for (const part of ["requests", "answers"] as const)
    await expect(clientTypes(document, part)).toMatchFileSnapshot(
      `../../clients/typescript/src/made/${part}.ts`,
    );
});
