import { describe, expect, it } from "vitest";
import { partnersPerson } from "../../../src/seam/access/partners.ts";
import { subjectNamed } from "../../../src/seam/access/subjects.ts";

const person = (name: string) => partnersPerson("http:my-shop", name);

describe("whom an id names", () => {
  it.each([
    ["telegram:12345", "telegram:12345"],
    ["telegram:-10012", "telegram:-10012"],
    [" Telegram:12345\n", "telegram:12345"],
    ["discord:\uff11\uff12", "discord:12"],
    ["whatsapp:491701234567", "whatsapp:491701234567"],
    // Who has a number that was somebody else's, and who hides theirs.
    ["whatsapp:491701234567.2", "whatsapp:491701234567.2"],
    ["WhatsApp:US.13491208655302741918", "whatsapp:US.13491208655302741918"],
    ["whatsapp:us.134aB", "whatsapp:US.134aB"],
    ["http:My-Shop", "http:my-shop"],
    ["HTTP:my-shop/Ann Lee ", "http:my-shop/Ann Lee"],
    ["http:my-shop/ a/b", "http:my-shop/a/b"],
    ["http:my-shop/\uff21nn", "http:my-shop/\uff21nn"],
  ])("reads %j as %j", (text, subject) => {
    expect(subjectNamed(text)).toBe(subject);
  });

  it.each([
    "",
    "12345",
    "telegram:ann",
    "telegram:@ann",
    "@ann",
    "telegram:007",
    "telegram: 7",
    "discord:<@7>",
    "irc:7",
    "telegram:US.7",
    "telegram:7.2",
    "whatsapp:7.0",
    "whatsapp:USA.7",
    "whatsapp:-7",
    "web:me",
    "http:",
    "http:my-shop/",
    "http:my-shop/ ",
    "http:my-shop/a\nb",
  ])("takes %j for nobody", (text) => {
    expect(subjectNamed(text)).toBeUndefined();
  });

  it("takes a partner's names for one where they are the same text, however its accents are written", () => {
    expect(person("Rene\u0301")).toBe(person("Ren\u00e9"));
    expect(subjectNamed("http:my-shop/Rene\u0301")).toBe(person("Ren\u00e9"));
    for (const other of ["Rene", "ren\u00e9", "@Ren\u00e9"])
      expect(person(other)).not.toBe(person("Ren\u00e9"));
  });
});
