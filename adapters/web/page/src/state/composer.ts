import { useEffect, useRef, useState } from "preact/hooks";
import type { PageProblem, PageRequest } from "../../../wire.ts";
import type { MediaRef, Value, Values } from "../../../../../src/seam/values.ts";
import { pressLabel, useAgreement } from "./agreement.ts";
import { problemOf } from "./api.ts";
import { withPicture, withSample } from "../form/attach.ts";
import { carryOver } from "../form/carry-over.ts";
import { useChat, type ComposerDraft } from "./context.ts";
import { dropKept, type ChangeDraft } from "./draft.ts";
import { areSame, faultOf, firstMissing, placesOf, sendable, withValue } from "../form/fields.ts";
import { useAfterDrawing } from "../view/drawing.ts";
import { useOnce } from "./once.ts";
import { settle, useProblem } from "./problem.ts";
import { useQuote } from "./quote.ts";

/**
 * What the composer knows and does; its looks are in Composer.tsx.
 * @param occasion changes whenever the balance may have
 * @param requests what stands in the conversation
 */
export function useComposer(
  draft: ComposerDraft,
  onDraft: ChangeDraft,
  occasion: unknown,
  requests: readonly PageRequest[],
) {
  const { api, operations, say } = useChat();
  const { operation, values, question } = draft;
  const specOf = (wanted: string) => operations.find(({ name }) => name === wanted);
  const fieldsOf = (wanted: string) => specOf(wanted)?.fields ?? [];
  const fields = fieldsOf(operation);
  const form = useRef<HTMLFormElement>(null);
  const [open, setOpen] = useState(false);
  const latest = useRef(draft);
  latest.current = draft;
  const { busy, once } = useOnce();
  const afterDrawing = useAfterDrawing();
  const [refused, setRefused] = useProblem();
  const [round, setRound] = useState(0);
  // Not when the draft only gets its id: where somebody is offline, the press has failed by then.
  useEffect(() => setRefused(undefined), [operation, values, question]);

  const places = placesOf(fields, values);
  const missing = firstMissing(fields, values);
  const fault = fields.map((field) => faultOf(field, values[field.name])).find(Boolean);
  const sent = sendable(fields, values);
  const spec = specOf(operation);
  // What was stated with a press counts, whatever became of that.
  const asked = useAgreement(spec, sent, `${String(occasion)} ${round} ${refused?.code}`);
  const { quote, problem, stale, current } = useQuote(operation, sent, !missing && !fault, occasion);

  // A price is told to whoever has a key.
  useEffect(() => {
    if (quote) settle("not_connected", "unauthorized");
  }, [quote]);
  useEffect(() => {
    if (problem?.code === "key_in_words") dropKept();
  }, [problem]);

  // An upload that ends later must not undo what was typed meanwhile.
  function change(next: (values: Values) => Values) {
    onDraft((current) => ({ ...current, values: next(current.values) }));
  }

  function set(name: string, value: Value | undefined) {
    change((values) => withValue(fields, values, name, value));
  }

  /** Makes something else of what is there. */
  function choose(chosen: string) {
    onDraft((current) => ({
      operation: chosen,
      ...carryOver({ ...current, fields: fieldsOf(current.operation) }, fieldsOf(chosen)),
    }));
  }

  function clear() {
    onDraft({ operation, values: {} });
    setOpen(false);
    setRound((before) => before + 1);
  }

  /** Leads to a field, once the options that may hold it are there. */
  function leadTo(name: string | undefined) {
    if (places.options.some((option) => option.name === name)) setOpen(true);
    afterDrawing(() => {
      const place = form.current?.querySelector(`[data-field="${name}"]`);
      place?.querySelector<HTMLElement>("input, textarea, button")?.focus();
    });
  }

  /** Takes the built-in picture, with words for it: not for whoever went on to something else while it came. */
  function takeSample(media: MediaRef) {
    const words = say(`page.sample.${spec?.result ?? "video"}`);
    const writes = document.activeElement instanceof HTMLTextAreaElement;
    change((current) =>
      writes ? withPicture(fields, current, media) : withSample(fields, current, media, words),
    );
    // Its button goes with its purpose: the focus goes on to the one that says what is missing, if anything is.
    afterDrawing(() => {
      if (document.activeElement !== document.body) return;
      form.current?.querySelector<HTMLElement>("[type=submit]")?.focus();
    });
  }

  /** @param onSent hears that it was sent */
  async function submit(onSent: () => void) {
    if (missing || fault) return leadTo(missing?.field.name ?? fault?.field);
    return once(() => send(onSent));
  }

  async function send(onSent: () => void) {
    try {
      setRefused(undefined);
      const now = await current();
      const price = now?.tokens ?? undefined;
      // What is refused has no price, and is told so by whoever is to make it.
      const unseen = now && unseenPrice(price, quote?.tokens ?? undefined);
      if (unseen) return setRefused(unseen);
      const id = draft.id ?? newDraftId();
      onDraft((held) => ({ ...held, id }));
      const pressed = { draft: id, agreed: asked, ...(price !== undefined && { price }) };
      await (question === undefined
        ? api.command(operation, sent, pressed)
        : api.answer(question, sent, pressed));
      if (leave(id)) onSent();
    } catch (error) {
      const refusal = problemOf(error);
      // A key stands nowhere any longer, not even in what a reload of the tab brings back.
      if (refusal.code === "key_in_words" && refusal.field) set(refusal.field, undefined);
      else setRefused(refusal);
    }
  }

  // Whoever heard no answer to it finds in the conversation, once that was read anew, that it arrived.
  const isThere =
    !busy &&
    !refused &&
    draft.id !== undefined &&
    requests.some((one) => one.draft === draft.id && areSame(one.values, sent));
  useEffect(() => {
    if (isThere && draft.id !== undefined) leave(draft.id);
  }, [isThere]);

  /**
   * Empties the composer of what was sent. Its result may come before the answer to the press does, and its person
   * may have gone on with that or written on by then: what they have begun stays.
   * @returns false then
   */
  function leave(id: string): boolean {
    const { id: now, values: held } = latest.current;
    if (now !== id) return false;
    if (held === values) clear();
    else onDraft({ operation: latest.current.operation, values: held });
    return held === values;
  }

  return {
    form,
    /** Changes when everything begins anew: what went wrong with a file before is over then. */
    round,
    fields,
    open,
    setOpen,
    busy,
    places,
    missing,
    asked,
    label: pressLabel(spec, asked),
    quote,
    stale,
    change,
    set,
    choose,
    clear,
    leadTo,
    takeSample,
    submit,
    fault,
    problem: refused ?? fault ?? problem,
  };
}

/**
 * Why a press begins nothing yet: nobody pays what they have not seen.
 * @param tokens what it costs; undefined: nobody knows
 * @param shown what the button said when it was pressed, in tokens; undefined: no price
 */
function unseenPrice(tokens: number | undefined, shown: number | undefined): PageProblem | undefined {
  if (tokens === undefined) return shown === undefined ? undefined : { code: "price_unknown", params: {} };
  if (shown === undefined) return { code: "price_unseen", params: { count: tokens, tokens } };
  return tokens > shown
    ? { code: "price_changed", params: { count: tokens, tokens, price: shown } }
    : undefined;
}

/** Not `randomUUID`, which browsers keep from pages without TLS. */
function newDraftId(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (word) => word.toString(36)).join("");
}
