import { describe, expect, it, vi } from "vitest";
import { Ledger } from "../../../../src/domain/jobs/ledger.ts";
import { withoutBrowser } from "../../../support/browser.ts";
import { endedJob } from "../../../support/job.ts";
import { post } from "../support/client.ts";
import { forEachSeat, onPhone, shot } from "../support/seats.ts";
import { visit } from "../support/visitor.ts";
import { PATIENCE_MS } from "../../../support/patience.ts";

const SECRET = "heron at dawn";
const ANN = "telegram:111";

const widthOf = ({ naturalWidth }: { readonly naturalWidth: number }) => naturalWidth;

describe.skipIf(withoutBrowser())("the console's people in Chromium", () => {
  const seats = forEachSeat();

  /** Somebody reports a job. */
  async function report(job: string) {
    const { kysely } = seats.site.database;
    const at = Date.now();
    await kysely.insertInto("reported").values({ job, state: "open", at, by: null, role: null }).execute();
    await kysely.insertInto("reports").values({ job, reporter: "telegram:5", at }).execute();
  }

  /** What somebody else decides about all of them. */
  async function state(is: string) {
    await seats.site.database.kysely.updateTable("reported").set({ state: is }).execute();
  }

  /** A picture that Ann made. */
  async function made(): Promise<string> {
    const { site } = seats;
    const asked = { values: { prompt: SECRET }, agreed: ["terms", "consent"] };
    await post(site.url, "/app/web/command/image", asked, await visit(site, ANN));
    return vi.waitFor(
      async () => {
        const [job] = await (await site.console()).find(ANN);
        if (job?.phase !== "completed") throw new Error("It is not made yet.");
        return job.id;
      },
      { timeout: PATIENCE_MS, interval: 200 },
    );
  }

  it("have what is reported of them decided, covered until somebody asks", async () => {
    const job = await made();
    await report(job);
    const page = await seats.sit("moderator", "people");
    const card = page.getByRole("article", { name: job });
    await card.getByText("One person reported this result.").waitFor();
    expect(await page.getByRole("img", { name: "Result 1" }).count()).toBe(0);
    await shot(page, "people-desktop");
    await card.getByRole("button", { name: "Show it" }).click();
    await card.getByText(SECRET).waitFor();
    await expect.poll(() => card.getByRole("img", { name: "Result 1" }).evaluate(widthOf)).toBeGreaterThan(0);
    const desk = await seats.site.console();
    expect((await desk.audit({ job, act: "uncover", limit: 5 })).length).toBe(1);
    expect(await onPhone(page, "people-phone")).toBe(false);

    // Somebody else is faster.
    await state("withheld");
    await card.getByRole("button", { name: "Take it down" }).click();
    await card.getByText("Nobody is shown this result any more").waitFor();
    await card.getByRole("button", { name: "Yes, do it" }).click();
    await card.getByRole("alert").getByText("Somebody else changed this meanwhile").waitFor();
    await card.getByRole("button", { name: "Put it back" }).click();
    await card.waitFor({ state: "detached" });
    await page.getByRole("status").getByText("written into the audit").waitFor();
    await page.getByText("Nothing waits for a decision.").waitFor();

    await state("open");
    await page.reload();
    await card.getByRole("button", { name: "Take it down" }).click();
    await card.getByRole("button", { name: "Yes, do it" }).click();
    await card.getByText("This result was taken down.").waitFor();
    for (const act of ["restore", "withhold"] as const)
      expect((await desk.audit({ job, act, limit: 5 })).length, act).toBe(1);
  });

  it("are looked up, kept out and let in again", async () => {
    await made();
    const page = await seats.sit("operator", "people");
    await page.getByRole("searchbox").fill(ANN);
    await page.getByRole("button", { name: "Search" }).click();
    const person = page.locator("section").filter({ has: page.getByRole("heading", { name: ANN }) });
    await person.getByText("Started today").waitFor();
    expect(await person.innerText()).toMatch(/jobs: 1, tokens: \d/);
    await person.getByRole("button", { name: "Block the person" }).click();
    await person.getByText("can make nothing here from now on", { exact: false }).waitFor();
    await person.getByRole("button", { name: "Yes, do it" }).click();
    const blocked = page.getByRole("table", { name: "Blocked" });
    await blocked.getByRole("link", { name: ANN }).waitFor();
    await expect.poll(() => person.getByRole("button").count()).toBe(0);
    await shot(page, "person-desktop");
    expect(await onPhone(page, "person-phone")).toBe(false);
    await blocked.getByRole("button", { name: "Unblock the person" }).click();
    await blocked.waitFor({ state: "detached" });

    const who = page.getByRole("textbox", { name: /^Who / });
    await who.fill("@ann");
    await page.getByRole("button", { name: "Block", exact: true }).click();
    await page.getByRole("alert").getByText("“@ann” is not an id.").waitFor();
    await who.fill("telegram:7");
    await page.getByRole("textbox", { name: "Why" }).fill("spam");
    await page.getByRole("button", { name: "Block", exact: true }).click();
    await page.getByRole("cell", { name: "spam" }).waitFor();
  });

  it("tell a moderator nothing of money, and let a viewer press nothing", async () => {
    const job = await made();
    await report(job);
    const moderator = await seats.sit("moderator", `people/${encodeURIComponent(ANN)}`);
    await moderator.getByRole("heading", { level: 2, name: ANN }).waitFor();
    expect(await moderator.getByRole("main").innerText()).not.toContain("tokens:");
    const viewer = await seats.sit("viewer", `people/${encodeURIComponent(ANN)}`);
    await viewer.getByRole("heading", { level: 2, name: ANN }).waitFor();
    await viewer.getByRole("article", { name: job }).getByText("your role may not show it").waitFor();
    const buttons = viewer.getByRole("main").getByRole("button");
    expect(await buttons.allInnerTexts()).toEqual(["Search"]);
  });

  it("have older reports behind the latest twenty", async () => {
    // Each a process of its own: one that is not listed, and seen at work for as long as a lease, has its jobs taken over.
    const ledgerOf = (nth: number) => new Ledger(seats.site.database, `test ${nth}`);
    const asked = { user: "telegram:9", chat: "telegram:-100", surface: "telegram" } as const;
    const at = Date.now();
    for (let count = 0; count < 21; count++)
      await report(
        await endedJob(ledgerOf(count), asked, { at: at + count, cost: 1, seconds: 5, toldAt: at }),
      );
    const page = await seats.sit("viewer", "people");
    const cards = page.getByRole("article");
    await expect.poll(() => cards.count()).toBe(20);
    await page.getByRole("button", { name: "Older entries" }).click();
    await expect.poll(() => cards.count()).toBe(21);
    expect(await page.getByRole("button", { name: "Older entries" }).count()).toBe(0);
  });
});
