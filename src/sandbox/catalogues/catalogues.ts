import type { z } from "zod";
import type { Store } from "../records/store.ts";
import { TEMPLATES } from "../templates/index.ts";
import type { VideoTemplate } from "../templates/template.ts";
import { H3_TEMPLATES, type H3Template } from "./h3-templates.ts";
import {
  h3TemplateFields,
  registeredH3Template,
  registeredTemplate,
  templateFields,
} from "./registration.ts";

type Kind = "video" | "h3";

/** The templates that boss accounts can add to; those that they registered stay in the database. */
export class Catalogues {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Every video template, whether or not a host's catalogue shows it. */
  templates(): readonly VideoTemplate[] {
    const registered = this.#rows("video").map(({ fields, at }) =>
      registeredTemplate(templateFields.parse(fields), at),
    );
    return merged(TEMPLATES, registered);
  }

  /** Every H3 template. */
  h3Templates(): readonly H3Template[] {
    const registered = this.#rows("h3").map(({ fields }) =>
      registeredH3Template(h3TemplateFields.parse(fields)),
    );
    return merged(H3_TEMPLATES, registered);
  }

  /** A video template by its id. */
  template(id: string): VideoTemplate | undefined {
    return this.templates().find((template) => template.id === id);
  }

  /** An H3 template by its id. */
  h3Template(id: string): H3Template | undefined {
    return this.h3Templates().find((template) => template.id === id);
  }

  /** Adds a video template, or puts it in the place of the one with its id. */
  register(fields: z.infer<typeof templateFields>): void {
    this.#write("video", fields);
  }

  /** Adds an H3 template, or puts it in the place of the one with its id. */
  registerH3(fields: z.infer<typeof h3TemplateFields>): void {
    this.#write("h3", fields);
  }

  #rows(kind: Kind): readonly { readonly fields: unknown; readonly at: number }[] {
    return this.#store.db
      .prepare("SELECT fields, at FROM registered_templates WHERE kind = ? ORDER BY at, id")
      .all(kind)
      .map((row) => ({ fields: JSON.parse(String(row["fields"])), at: Number(row["at"]) }));
  }

  #write(kind: Kind, fields: { readonly id: string }): void {
    this.#store.db
      .prepare("INSERT OR REPLACE INTO registered_templates (kind, id, fields, at) VALUES (?, ?, ?, ?)")
      .run(kind, fields.id, JSON.stringify(fields), Date.now());
  }
}

/** What was there, then what came later; of two with the same id the later one. */
function merged<T extends { readonly id: string }>(given: readonly T[], later: readonly T[]): readonly T[] {
  return [...new Map([...given, ...later].map((entry) => [entry.id, entry])).values()];
}
