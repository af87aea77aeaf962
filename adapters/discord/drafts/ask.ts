import type { FieldSpec, Suggestion } from "../../../src/chat/fields.ts";
import type { Sheet } from "../../../src/chat/sheet.ts";
import { ReelayError } from "../../../src/errors.ts";
import { atMost } from "../../../src/time.ts";
import { entriesOf } from "./choices.ts";
import { type Draft, sheetFor, type ChatContext } from "./draft.ts";
import { keepDraft } from "./store.ts";
import { askingView, pageId } from "./view.ts";
import { type Entries, modalOf } from "./modal.ts";
import { fieldsOn, type PageName } from "./modal-page.ts";
import { deliver } from "../messages/post.ts";

/** How long catalogues may take while a modal is waited for, in milliseconds: without them, names are typed. */
const PATIENCE_MS = 700;

/**
 * Asks for fields of a draft: in a modal, or, where something was answered already, behind a button that opens one.
 * @throws ReelayError `stale_button` where there is no such page any more
 */
export async function askPage(context: ChatContext, draft: Draft, page: PageName): Promise<void> {
  const { say, memory, reply, address } = context;
  const sheet = sheetFor(context, draft);
  const { fields, title } = sheet;
  const { values } = draft;
  const asked = fieldsOn(page, fields, values);
  if (asked.length === 0) throw new ReelayError("stale_button");
  const kept = await keepDraft(memory, draft, sheet);
  const entries = reply.isAcknowledged ? {} : await entriesFor(context, sheet, asked, draft);
  const modal = modalOf(say, { id: pageId(draft, page), title, fields, page: asked, values, entries });
  if (!(await reply.openModal(modal))) await deliver(context, address, askingView(say, kept, sheet, page));
}

/** Entries of the catalogues that a page asks for, where all are known in time. */
async function entriesFor(
  context: ChatContext,
  { name }: Sheet,
  page: readonly FieldSpec[],
  { values }: Draft,
): Promise<Entries> {
  const catalogues = page.filter(({ catalogue }) => catalogue !== undefined);
  const read = async (field: FieldSpec): Promise<[string, readonly Suggestion[]]> => [
    field.name,
    await entriesOf(context, name, field, "", values).catch(() => []),
  ];
  const all = Promise.all(catalogues.map(read));
  return (await atMost(PATIENCE_MS, all)) ? Object.fromEntries(await all) : {};
}
