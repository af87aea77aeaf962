import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Locale, Translate } from "../../../../../src/common/i18n.ts";
import type { OperatorAct } from "../../../../../src/seam/access/operators.ts";
import type { ConsoleSession } from "../../../console/wire.ts";
import type { Ask, OnOut } from "../../src/state/ask.ts";

/** Where the console's routes are. */
export const CONSOLE_API = "/console/web";

/** What every part of the console may need. */
export interface Desk {
  /** Of what only reads it is said so where no answer comes, and of all else that it may have been done. */
  readonly ask: Ask;
  /** Takes away all that is shown: whoever is there is not in any more. */
  readonly onOut: OnOut;
  /** Asks whether they are, where something does not say why it is not there. */
  readonly stillIn: () => void;
  readonly session: ConsoleSession;
  readonly locale: Locale;
  readonly say: Translate;
  /** Whether whoever is signed in may do something: the server asks again. */
  readonly may: (act: OperatorAct) => boolean;
}

export const DeskContext = createContext<Desk | undefined>(undefined);

/** The console around a component. */
export function useDesk(): Desk {
  const desk = useContext(DeskContext);
  if (!desk) throw new Error("This component belongs inside the console.");
  return desk;
}
