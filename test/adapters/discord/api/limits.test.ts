import {
  ApplicationCommandOptionType as Kind,
  ButtonStyle,
  ComponentType as Component,
  InteractionResponseType as Answer,
  MessageFlags,
  TextInputStyle,
} from "discord.js";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { DISCORD } from "../../../../adapters/discord/api/limits.ts";
import { loadDescription } from "../../../support/discord/description.ts";
import { DISCORD_LIMITS } from "../../../support/discord/limits.ts";
import { Refusal } from "../../../support/discord/refusal.ts";
import { suggestions } from "../../../support/discord/rules/choice.ts";
import { commands } from "../../../support/discord/rules/commands.ts";
import { message } from "../../../support/discord/rules/message.ts";
import { modal } from "../../../support/discord/rules/modal.ts";

/** A kind of request, with the fake's rules for its body. */
interface Form {
  readonly route: string;
  readonly rules: z.ZodType;
  /** The body with the part that is tested. */
  readonly whole: (part: object) => object;
}

const CALLBACK = "POST /interactions/{interaction_id}/{interaction_token}/callback";
const MESSAGE: Form = {
  route: "POST /channels/{channel_id}/messages",
  rules: message,
  whole: (body) => body,
};
const MODAL: Form = {
  route: CALLBACK,
  rules: z.looseObject({ data: modal }),
  whole: (data) => ({ type: Answer.Modal, data }),
};
const SUGGESTIONS: Form = {
  route: CALLBACK,
  rules: z.looseObject({ data: suggestions }),
  whole: (data) => ({ type: Answer.ApplicationCommandAutocompleteResult, data }),
};
const COMMANDS: Form = {
  route: "PUT /applications/{application_id}/commands",
  rules: commands,
  whole: (one) => [one],
};

const x = (length: number) => "x".repeat(length);
const many = <T>(count: number, make: (nth: number) => T): T[] =>
  Array.from({ length: count }, (_, nth) => make(nth));

const row = (components: readonly object[]) => ({ type: Component.ActionRow, components });
const button = (more: object) => ({
  type: Component.Button,
  style: ButtonStyle.Primary,
  label: "x",
  custom_id: "x",
  ...more,
});
const buttons = (count: number) => many(count, (nth) => button({ custom_id: `x${nth}` }));
const showing = (...components: object[]) => ({ components: [row(components)] });

const words = (content: string) => ({ type: Component.TextDisplay, content });
const cards = (...components: object[]) => ({ flags: MessageFlags.IsComponentsV2, components });

const entry = (nth: number) => ({ label: "x", value: `x${nth}` });
const select = { type: Component.StringSelect, custom_id: "x", options: [entry(0)] };

const input = { type: Component.TextInput, style: TextInputStyle.Short, custom_id: "x" };
const label = { type: Component.Label, label: "x", component: input };
const opening = (...components: object[]) => ({ custom_id: "x", title: "x", components });

const named = (nth: number) => ({ name: `x${nth}`, description: "x" });
const text = { ...named(0), type: Kind.String };
const choice = (nth: number) => ({ name: `x${nth}`, value: `x${nth}` });
const command = (...options: object[]) => ({ name: "x", description: "x", options });

/** A command whose words come to so many characters: most are those of two options' choices. */
function commandOf(length: number): object {
  const words = length - "x".length * 2 - "x0x".length * 2;
  const upTo = (nth: number) => Math.floor((words * nth) / 50);
  const choices = many(50, (nth) => {
    const name = `${nth}`.padEnd(80, "x");
    return { name, value: x(upTo(nth + 1) - upTo(nth) - name.length) };
  });
  return command(
    { ...text, choices: choices.slice(0, 25) },
    { ...text, ...named(1), choices: choices.slice(25) },
  );
}

/** Something to send, of which one part is as long as given. */
type Sized = (length: number) => object;

/** By the limit in our constant. `laxer`: the official description says more than Discord's pages do, or nothing. */
const CASES: readonly [limit: string, most: number, form: Form, sized: Sized, laxer?: "laxer"][] = [
  ["text", DISCORD.text, MESSAGE, (n) => cards(words(x(n)))],
  ["text", DISCORD.text, MESSAGE, (n) => cards(words("x"), words(x(n - 1))), "laxer"],
  ["components", DISCORD.components, MESSAGE, (n) => cards(...many(n, () => words("x")))],
  [
    "components",
    DISCORD.components,
    MESSAGE,
    (n) => cards({ type: Component.Container, components: many(n - 1, () => words("x")) }),
    "laxer",
  ],
  [
    "alt",
    DISCORD.alt,
    MESSAGE,
    (n) =>
      cards({
        type: Component.MediaGallery,
        items: [{ media: { url: "https://cdn.example/x.png" }, description: x(n) }],
      }),
  ],
  ["files", DISCORD.files, MESSAGE, (n) => ({ attachments: many(n, (nth) => ({ id: String(nth) })) })],
  ["nonce", DISCORD.nonce, MESSAGE, (n) => ({ nonce: x(n) })],
  ["rows", DISCORD.rows, MESSAGE, (n) => ({ components: buttons(n).map((one) => row([one])) }), "laxer"],
  ["rowButtons", DISCORD.rowButtons, MESSAGE, (n) => showing(...buttons(n))],
  ["customId", DISCORD.customId, MESSAGE, (n) => showing(button({ custom_id: x(n) }))],
  ["customId", DISCORD.customId, MODAL, (n) => ({ ...opening(label), custom_id: x(n) })],
  ["buttonLabel", DISCORD.buttonLabel, MESSAGE, (n) => showing(button({ label: x(n) }))],
  ["selectOptions", DISCORD.selectOptions, MESSAGE, (n) => showing({ ...select, options: many(n, entry) })],
  [
    "selectText",
    DISCORD.selectText,
    MESSAGE,
    (n) => showing({ ...select, options: [{ label: x(n), value: x(n), description: x(n) }] }),
  ],
  ["placeholder", DISCORD.placeholder, MESSAGE, (n) => showing({ ...select, placeholder: x(n) })],
  ["modal.title", DISCORD.modal.title, MODAL, (n) => ({ ...opening(label), title: x(n) })],
  ["modal.label", DISCORD.modal.label, MODAL, (n) => opening({ ...label, label: x(n) })],
  ["modal.description", DISCORD.modal.description, MODAL, (n) => opening({ ...label, description: x(n) })],
  [
    "modal.inputs",
    DISCORD.modal.inputs,
    MODAL,
    (n) => opening(...many(n, (nth) => ({ ...label, component: { ...input, custom_id: `x${nth}` } }))),
    "laxer",
  ],
  [
    "modal.textInput",
    DISCORD.modal.textInput,
    MODAL,
    (n) => opening({ ...label, component: { ...input, value: x(n) } }),
  ],
  [
    "modal.placeholder",
    DISCORD.modal.placeholder,
    MODAL,
    (n) => opening({ ...label, component: { ...input, placeholder: x(n) } }),
  ],
  ["command.name", DISCORD.command.name, COMMANDS, (n) => ({ ...command(), name: x(n) })],
  [
    "command.description",
    DISCORD.command.description,
    COMMANDS,
    (n) => ({ ...command(), description: x(n) }),
  ],
  [
    "command.subcommands",
    DISCORD.command.subcommands,
    COMMANDS,
    (n) => command(...many(n, (nth) => ({ ...named(nth), type: Kind.Subcommand }))),
  ],
  [
    "command.options",
    DISCORD.command.options,
    COMMANDS,
    (n) =>
      command({
        ...named(0),
        type: Kind.Subcommand,
        options: many(n, (nth) => ({ ...text, ...named(nth) })),
      }),
  ],
  ["command.choices", DISCORD.command.choices, SUGGESTIONS, (n) => ({ choices: many(n, choice) })],
  [
    "command.choices",
    DISCORD.command.choices,
    COMMANDS,
    (n) => command({ ...text, choices: many(n, choice) }),
  ],
  ["command.choice", DISCORD.command.choice, SUGGESTIONS, (n) => ({ choices: [{ name: x(n), value: "x" }] })],
  [
    "command.choice",
    DISCORD.command.choice,
    SUGGESTIONS,
    (n) => ({ choices: [{ name: "x", value: x(n) }] }),
    "laxer",
  ],
  ["command.text", DISCORD.command.text, COMMANDS, (n) => command({ ...text, max_length: n })],
  ["command.total", DISCORD.command.total, COMMANDS, commandOf, "laxer"],
];

/** Limits of time and of bytes, which the fake counts in the same units. */
const COUNTED = ["firstAnswerMs", "tokenMs", "file", "request"] as const;

const description = await loadDescription();

/** Whether the official description takes a body. */
function fits(route: string, body: object): boolean {
  try {
    description?.checkBody(route, body);
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

describe("what Discord takes", () => {
  it.each(CASES)("of %s is what the fake takes: %i", (_limit, most, { rules, whole }, sized) => {
    const takes = (length: number) => rules.safeParse(whole(sized(length)));
    expect(takes(most).error).toBeUndefined();
    expect(takes(most + 1).success).toBe(false);
  });

  it.each(description ? CASES : [])(
    "of %s is what the official description takes: %i",
    (_limit, most, { route, whole }, sized, laxer) => {
      const body = (length: number) => whole(sized(length));
      expect([fits(route, body(most)), fits(route, body(most + 1))]).toEqual([true, laxer === "laxer"]);
    },
  );

  it("in time and bytes is what the fake counts", () => {
    const { firstAnswerMs, tokenMs, fileBytes, requestBytes } = DISCORD_LIMITS;
    expect(COUNTED.map((limit) => DISCORD[limit])).toEqual([firstAnswerMs, tokenMs, fileBytes, requestBytes]);
  });

  it("is tested for every limit of ours", () => {
    const names = Object.entries(DISCORD).flatMap(([name, value]) =>
      typeof value === "number" ? [name] : Object.keys(value).map((part) => `${name}.${part}`),
    );
    const tested = new Set<string>([...CASES.map(([limit]) => limit), ...COUNTED]);
    expect(new Set(names)).toEqual(tested);
  });
});
