import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PROBLEM } from "../../../../adapters/http/mcp/session/results.ts";
import { openGateway, type TestGateway, type TestPartner } from "../../../support/gateway.ts";
import { testPicture, type TestSandbox, testSandbox } from "../../../support/sandbox.ts";
import { type Answer, connectTo, type Era } from "./harness.ts";
import { jobOf } from "./results.ts";

let sandbox: TestSandbox;
let gateway: TestGateway;
let asking: TestPartner;

beforeAll(async () => {
  sandbox = await testSandbox();
  gateway = await openGateway(sandbox, { settings: { REELAY_TERMS_URL: "https://example.com/terms" } });
  asking = await gateway.join("asking", { gates: "asked" });
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await sandbox.stop();
});

const yes = { action: "accept", content: { agreed: true } } as const;

/** Has a film made for somebody whose client can ask them. */
async function film(person: string, answer: Answer | undefined, era: Era = "auto") {
  const agent = await connectTo(gateway.url, asking.token, era, { ...(answer && { answer }) });
  const made = await agent.callTool({
    name: "make",
    arguments: {
      operation: "video",
      input: { image: await testPicture(), prompt: "slow zoom" },
      in_app_username: person,
    },
  });
  await agent.close();
  return made;
}

describe("what a person must state", () => {
  it("is asked of them by their client, one after the other, and recorded as theirs", async () => {
    const asked: string[] = [];
    const made = await film("ada", (message) => (asked.push(message), yes));
    expect(jobOf(made)).toMatchObject({
      in_app_username: "ada",
      status: expect.stringMatching(/queued|running/),
    });
    expect(asked).toHaveLength(2);
    expect(asked[0]).toContain("https://example.com/terms");
    const kept = await asking.call("/users/ada/statements");
    expect(JSON.stringify(await kept.json())).toContain("terms");
  });

  it.each<[string, ReturnType<Answer>]>([
    ["no", { action: "accept", content: { agreed: false } }],
    ["nothing", { action: "decline" }],
    ["that they leave it", { action: "cancel" }],
    ["something else", { action: "accept", content: { agreed: "certainly" } }],
  ])("is not stated where they say %s: nothing is made, and nobody asks again", async (what, answer) => {
    const asked: string[] = [];
    const person = `nobody-${what.length}`;
    const refused = await film(person, (message) => (asked.push(message), answer));
    expect(refused).toMatchObject({ isError: true, _meta: { [PROBLEM]: { code: "statement_missing" } } });
    expect(JSON.stringify(refused.content)).toContain("did not agree");
    expect(asked).toHaveLength(1);
  });

  it.each<[string, Answer | undefined, Era]>([
    ["cannot ask", undefined, "auto"],
    ["speaks the protocol of before, where nothing comes back over HTTP", () => yes, "legacy"],
  ])("is left to the agent where its client %s", async (_, answer, era) => {
    const refused = await film("eve", answer, era);
    expect(refused).toMatchObject({ isError: true, _meta: { [PROBLEM]: { statement: "terms" } } });
    expect(JSON.stringify(refused.content)).toContain("Only if they say yes");
  });
});
