import type { ComponentChildren } from "preact";
import type { MessageKey } from "../../../../../../src/common/i18n.ts";
import type { NamedSums } from "../../../../../../src/seam/access/money.ts";
import { useDesk } from "../../state/context.ts";
import { type Column, Rows, Table } from "../../parts/Table.tsx";

/**
 * What jobs came to that are alike in something.
 * @param title what they are alike in
 * @param bare without a part of the page of its own
 */
export function SumsTable(props: {
  caption: string;
  title: MessageKey;
  sums: readonly NamedSums[];
  nameOf: (name: string) => ComponentChildren;
  bare?: boolean;
}) {
  const { say } = useDesk();
  const { caption, title, sums, nameOf, bare = false } = props;
  const number = (count: number) => say("fact.number", { count });
  const columns: Column<NamedSums>[] = [
    { title, cell: ({ name }) => nameOf(name) },
    {
      title: "console.money.tokens",
      isNumber: true,
      cell: ({ tokens }) => say("console.money.amount", { tokens }),
    },
    { title: "console.money.jobs", isNumber: true, cell: ({ jobs }) => number(jobs) },
    { title: "console.money.failed", isNumber: true, cell: ({ failed }) => number(failed) },
    { title: "console.money.unsure", isNumber: true, cell: ({ unsure }) => number(unsure) },
    {
      title: "console.money.lost",
      isNumber: true,
      cell: ({ failedTokens: tokens }) => say("console.money.amount", { tokens }),
    },
  ];
  const rows = { caption, columns, rows: sums, keyOf: ({ name }: NamedSums) => name };
  return bare ? <Rows {...rows} /> : <Table {...rows} />;
}
