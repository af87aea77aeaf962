import { decimal } from "../../../../../../src/seam/amounts.ts";
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import type { FieldSpec, Quote } from "../../../../../../src/seam/fields.ts";
import type { MessageKey, Translate } from "../../../../../../src/common/i18n.ts";
import { useChat } from "../../state/context.ts";
import { isPicture } from "../../../../../../src/seam/forms/filling.ts";
import { Icon } from "../base/Icon.tsx";

interface Missing {
  readonly field: FieldSpec;
  readonly instead?: FieldSpec | undefined;
}

/**
 * The press that spends, with its price on it. While something is missing it says so; it stays reachable, and
 * leads to what is missing.
 */
export function GenerateBar(props: {
  missing: Missing | undefined;
  label: MessageKey;
  /** The element that says what the press states, where it states something. */
  agreementId: string;
  /** Whether one picture, or one list of them, is all that is to be shown. */
  onePicture: boolean;
  faulty: boolean;
  busy: boolean;
  quote: Quote | undefined;
  /** Whether the quote is still that of earlier values. */
  stale: boolean;
  /** What may help while something is missing. */
  children: ComponentChildren;
}) {
  const { say } = useChat();
  const { missing, onePicture, faulty, busy, quote } = props;
  const id = useId();
  const tokens = quote?.tokens ?? undefined;
  const about = quote?.basis === "exact" ? "page.tokens" : "page.about_tokens";
  return (
    <>
      <p class="price" id={id} role="status">
        {missing ? missingText(say, missing, onePicture) : quote && priceText(say, quote)} {props.children}
      </p>
      <button
        type="submit"
        class="button generate-button"
        aria-disabled={missing !== undefined || faulty || busy}
        aria-describedby={`${props.agreementId} ${id}`}
        title={say("page.generate.keys")}
      >
        {busy ? <span class="spinner" /> : <Icon name="spark" />}
        {say(props.label)}
        {tokens !== undefined && !missing && (
          <span class={props.stale ? "cost stale" : "cost"}>{say(about, { count: tokens, tokens })}</span>
        )}
      </button>
    </>
  );
}

function missingText(say: Translate, { field, instead }: Missing, onePicture: boolean): string {
  if (onePicture && isPicture(field)) return say("page.missing.image");
  return instead
    ? say("page.missing.either", { field: say(field.label), other: say(instead.label) })
    : say("page.missing.field", { field: say(field.label) });
}

function priceText(say: Translate, { tokens, basis, balance }: Quote): string {
  if (tokens !== null && balance !== null && tokens > balance) {
    const missing = decimal(tokens - balance);
    return say("page.short", { count: missing, tokens: missing });
  }
  const left = balance === null ? [] : [say("page.left", { count: balance, tokens: balance })];
  return [say(`page.basis.${basis}`), ...left].join(" · ");
}
