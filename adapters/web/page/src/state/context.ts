import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { CommandSpec } from "../../../../../src/seam/fields.ts";
import type { Values } from "../../../../../src/seam/values.ts";
import type { Locale, Translate } from "../../../../../src/common/i18n.ts";
import type { NoticeView } from "../../../../../src/seam/views.ts";
import type { PageProblem, Session } from "../../../wire.ts";
import type { PageApi } from "./api.ts";
import type { Deletions } from "./deletions.ts";
import type { Unused } from "../form/carry-over.ts";

/** What the composer holds. */
export interface ComposerDraft {
  readonly operation: string;
  readonly values: Values;
  /** What had no place here when it was begun as something else. */
  readonly unused?: Unused;
  /** The message whose form it answers, where it changes something earlier. */
  readonly question?: string;
  /** Set once it was sent: sent again, it is the same request; the same picture and words in a new draft are another. */
  readonly id?: string;
}

/** What every part of the chat may need. */
export interface Chat {
  readonly api: PageApi;
  readonly session: Session;
  readonly operations: readonly CommandSpec[];
  readonly locale: Locale;
  readonly say: Translate;
  /** Runs something and shows its failure, where that belongs to no field and no message. */
  readonly attempt: (task: () => Promise<void>) => Promise<void>;
  /** Shows a failure of that kind. */
  readonly report: (problem: PageProblem) => void;
  /** Presses a button of the core's. */
  readonly act: (token: string) => Promise<void>;
  /** Hears that something was changed beside the conversation: what things cost, or what is left, may have changed too. */
  readonly renew: () => void;
  /** Hears that nothing is kept about whoever is at the page any more. */
  readonly onForgotten: (said: NoticeView) => void;
  readonly deletions: Deletions;
  /** Fills the composer with earlier values. */
  readonly compose: (draft: ComposerDraft) => void;
}

export const ChatContext = createContext<Chat | undefined>(undefined);

/** The chat around a component. */
export function useChat(): Chat {
  const chat = useContext(ChatContext);
  if (!chat) throw new Error("This component belongs inside the chat.");
  return chat;
}
