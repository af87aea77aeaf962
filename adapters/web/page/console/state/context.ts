import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Locale, Translate } from "../../../../../src/common/i18n.ts";
import type { OperatorAct } from "../../../../../src/seam/access/operators.ts";
import type { ConsoleSession } from "../../../console/wire.ts";
import type { Ask } from "../../src/state/ask.ts";

/** Where the console's routes are. */
export const CONSOLE_API = "/console/web";

/** What every part of the console may need. */
export interface Desk {
  readonly ask: Ask;
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
