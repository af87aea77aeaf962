import { expect, it } from "vitest";
import type { OpenApi } from "../../adapters/http/openapi/model.ts";
import { PARTS } from "../../tools/docs/clients/named.ts";
import { pythonTypes } from "../../tools/docs/clients/python.ts";
import { typescriptTypes } from "../../tools/docs/clients/typescript.ts";
import { openGateway } from "../support/gateway.ts";
import { testSandbox } from "../support/sandbox.ts";

it("the types of the clients are those of the gateway's document: `npm run docs:client` writes them", async () => {
  await using sandbox = await testSandbox();
  await using gateway = await openGateway(sandbox);
  const document = (await (await fetch(`${gateway.url}/v1/openapi.json`)).json()) as OpenApi;
  for (const part of PARTS) {
    const typescript = `../../clients/typescript/src/made/${part}.ts`;
    await expect(typescriptTypes(document, part)).toMatchFileSnapshot(typescript);
    const python = `../../clients/python/reelay_client/made/${part}.py`;
    await expect(pythonTypes(document, part)).toMatchFileSnapshot(python);
  }
});
