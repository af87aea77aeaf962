import { useMemo, useState } from "preact/hooks";
import type { FieldSpec, Suggestion } from "../../../../../../src/seam/fields.ts";
import { search } from "../../form/search.ts";
import { useCatalogue } from "../../state/catalogue.ts";
import { useChat } from "../../state/context.ts";
import { Dialog } from "../base/Dialog.tsx";
import { Icon } from "../base/Icon.tsx";

/** The catalogue of a field: search, categories, and a card for each entry. */
export function Gallery(props: {
  operation: string;
  field: FieldSpec;
  chosen: string | undefined;
  onChoose: (value: string) => void;
  onClose: () => void;
}) {
  const { say } = useChat();
  const entries = useCatalogue(props.operation, props.field);
  const [sought, setSought] = useState("");
  const [category, setCategory] = useState<string>();
  const categories = useMemo(
    () => [...new Set(entries?.flatMap((entry) => entry.category ?? []))].sort(),
    [entries],
  );
  const within = entries?.filter((entry) => category === undefined || entry.category === category);
  const found = within && search(within, sought);
  return (
    <Dialog kind="wide" title={say(props.field.label)} onClose={props.onClose}>
      <div class="gallery-tools">
        <label class="search">
          <Icon name="search" />
          <input
            type="search"
            placeholder={say("page.gallery.search")}
            aria-label={say("page.gallery.search")}
            value={sought}
            onInput={(event) => setSought(event.currentTarget.value)}
          />
        </label>
        {categories.length > 0 && (
          <div class="chips" role="group" aria-label={say("page.gallery.categories")}>
            {[undefined, ...categories].map((name) => (
              <button
                key={name ?? ""}
                type="button"
                class="chip"
                aria-pressed={name === category}
                onClick={() => setCategory(name)}
              >
                {name ?? say("page.gallery.all")}
              </button>
            ))}
          </div>
        )}
      </div>
      <p class="hidden" role="status">
        {found && say("page.gallery.found", { count: found.length })}
      </p>
      <ul class="gallery">
        {found?.map((entry) => (
          <Card
            key={entry.value}
            entry={entry}
            hue={hueOf(entry, categories)}
            chosen={entry.value === props.chosen}
            onChoose={() => {
              props.onChoose(entry.value);
              props.onClose();
            }}
          />
        ))}
      </ul>
      {found?.length === 0 && <p class="gallery-empty">{say("page.gallery.none")}</p>}
    </Dialog>
  );
}

/** @param hue the colour of its art, in degrees: the catalogue has no pictures */
function Card(props: { entry: Suggestion; hue: number; chosen: boolean; onChoose: () => void }) {
  const { say } = useChat();
  const { entry, hue } = props;
  return (
    <li>
      <button type="button" class="template" aria-pressed={props.chosen} onClick={props.onChoose}>
        <span class="template-art" style={{ "--hue": hue, "--turn": turnOf(entry.value) }}>
          {entry.marks.map((mark) => (
            <span key={mark} class={`mark mark-${mark}`}>
              {say(`page.mark.${mark}`)}
            </span>
          ))}
          {entry.mature && <span class="mark">{say("page.mark.mature")}</span>}
        </span>
        <b>{entry.title}</b>
        {entry.description && <small>{entry.description}</small>}
        {entry.pictures !== undefined && (
          <small class="variants">{say("page.gallery.pictures", { count: entry.pictures })}</small>
        )}
        {entry.variants > 0 && (
          <small class="variants">{say("page.gallery.variants", { count: entry.variants })}</small>
        )}
      </button>
    </li>
  );
}

/** One colour for a category; where there are none, each entry has its own. */
function hueOf({ value, category }: Suggestion, categories: readonly string[]): number {
  if (category === undefined) return turnOf(value);
  return (360 * categories.indexOf(category)) / categories.length + 15;
}

/** A steady angle for a word, 0 to 359, so that each card looks a little different. */
function turnOf(word: string): number {
  let turn = 7;
  for (const letter of word) turn = (turn * 31 + (letter.codePointAt(0) ?? 0)) % 360;
  return turn;
}
