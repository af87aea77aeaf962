import type { FunctionComponent } from "preact";
import type { MessageKey } from "../../../../src/common/i18n.ts";
import type { OperatorAct } from "../../../../src/seam/access/operators.ts";
import { JobView } from "./views/JobView.tsx";
import { KeysView } from "./views/KeysView.tsx";
import { LogView } from "./views/LogView.tsx";
import { MoneyView } from "./views/money/MoneyView.tsx";
import { NowView } from "./views/NowView.tsx";
import { OperatorsView } from "./views/OperatorsView.tsx";
import { PartnersView } from "./views/PartnersView.tsx";
import { PeopleView } from "./views/PeopleView.tsx";
import { RulesView } from "./views/RulesView.tsx";

/** A page of the console. */
export interface Section {
  /** Its name in the address. */
  readonly id: string;
  /** What it takes a role to do there; it is left out for who may not. */
  readonly act: OperatorAct;
  readonly title: MessageKey;
  /** @param what is looked at there; see `ConsolePlace` */
  readonly View: FunctionComponent<{ what: string }>;
}

/** All of them, in their order. */
export const SECTIONS: readonly Section[] = [
  { id: "now", act: "see-now", title: "console.section.now", View: NowView },
  { id: "job", act: "see-job", title: "console.section.job", View: JobView },
  { id: "money", act: "see-money", title: "console.section.money", View: MoneyView },
  { id: "people", act: "see-people", title: "console.section.people", View: PeopleView },
  { id: "partners", act: "see-partners", title: "console.section.partners", View: PartnersView },
  { id: "rules", act: "see-rules", title: "console.section.rules", View: RulesView },
  { id: "keys", act: "see-keys", title: "console.section.keys", View: KeysView },
  { id: "log", act: "see-log", title: "console.section.log", View: LogView },
  // Everybody has a way in on another device there; whom it shows beside that is for owners.
  { id: "operators", act: "see-now", title: "console.section.operators", View: OperatorsView },
];
