import type { ComponentChildren } from "preact";
import type { MessageKey } from "../../../../../src/common/i18n.ts";
import { useDesk } from "../state/context.ts";

/** A column: what stands above it, and what is in it of a row. */
export interface Column<Row> {
  readonly title: MessageKey;
  readonly cell: (row: Row) => ComponentChildren;
  /** Numbers stand under each other. */
  readonly isNumber?: boolean;
}

interface RowsShown<Row> {
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string | number;
}

/** A table as a part of the page, with its name. @param none what is said where there are no rows; left out: that there is nothing */
export function Table<Row>({ none, ...shown }: RowsShown<Row> & { readonly none?: string }) {
  const { say } = useDesk();
  return (
    <section class="part">
      <h2>{shown.caption}</h2>
      {shown.rows.length === 0 ? <p class="hint">{none ?? say("console.none")}</p> : <Rows {...shown} />}
    </section>
  );
}

/**
 * A table alone; narrow windows show each row as a list of its own, with the columns' titles. The roles are said because what is laid
 * out otherwise is no table any more to some screen readers.
 */
export function Rows<Row>({ caption, columns, rows, keyOf }: RowsShown<Row>) {
  const { say } = useDesk();
  return (
    <table role="table" aria-label={caption}>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(({ title, isNumber }) => (
            <th key={title} role="columnheader" scope="col" class={isNumber ? "number" : undefined}>
              {say(title)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <tr key={keyOf(row)} role="row">
            {columns.map(({ title, cell, isNumber }) => (
              <td key={title} role="cell" class={isNumber ? "number" : undefined} data-title={say(title)}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
