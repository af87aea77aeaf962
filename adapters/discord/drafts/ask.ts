import type { FieldSpec, Suggestion } from "../../../src/seam/fields.ts";
import type { Sheet } from "../../../src/seam/forms/sheet.ts";
import type { Form } from "../../../src/seam/views.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import { atMost } from "../../../src/common/time.ts";
import { type Draft, draftOf, type NewDraft, sheetFor } from "../../kit/drafts/draft.ts";
import { DraftStore } from "../../kit/drafts/store.ts";
import type { ReplyContext } from "../context/context.ts";
import { deliver } from "../messages/post.ts";
import { type Entries, modalOf } from "./modal.ts";
import { fieldsOn, type PageName } from "./modal-page.ts";
import { noteShown } from "./shown.ts";
import { askingView, KEY_PAGE, pageId, problemView } from "./view.ts";

/** How long catalogues may take while a modal is waited for, in milliseconds: without them, names are typed. */
const PATIENCE_MS = 700;

/** A draft that begins with what is answered. @param secret whether what is made is theirs alone to see */
export function newDraft({ address, origin }: ReplyContext, begun: NewDraft, secret = false): Draft {
  return { ...begun, id: address.asked.id, owner: origin.user, address: { secret } };
}

/** Asks for what a form wants. */
export async function collect(context: ReplyContext, form: Form): Promise<void> {
  await askPage(context, newDraft(context, draftOf(context, form), context.address.secret), 0);
}

/**
 * Asks for fields of a draft: in a modal, or, where something was answered already, behind a button that opens one.
 * @throws ReelayError `stale_button` where there is no such page any more
 */
export async function askPage(context: ReplyContext, draft: Draft, page: PageName): Promise<void> {
  const { say, memory, reply, address } = context;
  const sheet = sheetFor(context, draft);
  const { fields, title } = sheet;
  const { values } = draft;
  const asked = fieldsOn(page, fields, values);
  if (asked.length === 0) throw new ReelayError("stale_button");
  const kept = await new DraftStore(memory).keep(draft, sheet);
  const entries = reply.isAcknowledged ? {} : await entriesFor(context, sheet, asked, draft);
  const modal = modalOf(say, { id: pageId(draft, page), title, fields, page: asked, values, entries });
  if (await reply.openModal(modal)) return;
  await noteShown(context, kept, await deliver(context, address, askingView(say, kept, sheet, page)));
}

/** Asks for the key that a draft waits for: in a modal, or, where that comes too late, behind a button that opens one. */
export async function askKey(context: ReplyContext, draft: Draft): Promise<void> {
  const { intake, say, reply, address } = context;
  const fields = intake.commands.find(({ name }) => name === "connect")?.fields ?? [];
  const title = { key: "command.connect" } as const;
  const asking = { id: pageId(draft, KEY_PAGE), title, fields, page: fields, values: {}, entries: {} };
  if (await reply.openModal(modalOf(say, asking))) return;
  const why = new ReelayError("not_connected");
  await deliver(context, address, problemView(say, draft, sheetFor(context, draft), why, "connect"));
}

/** Entries of the catalogues that a page asks for, where all are known in time. */
async function entriesFor(
  { intake, origin }: ReplyContext,
  { name }: Sheet,
  page: readonly FieldSpec[],
  { values }: Draft,
): Promise<Entries> {
  const read = async (field: FieldSpec): Promise<[string, readonly Suggestion[]]> => [
    field.name,
    await intake.suggest(origin, name, field.name, "", values).catch(() => []),
  ];
  const all = Promise.all(page.filter(({ catalogue }) => catalogue !== undefined).map(read));
  return (await atMost(PATIENCE_MS, all)) ? Object.fromEntries(await all) : {};
}
