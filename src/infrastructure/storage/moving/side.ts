/** A value as both engines give and take it. */
export type StoredValue = string | number | null;

/** A row, its columns in the order of {@link Table.columns}. */
export type StoredRow = Readonly<Record<string, StoredValue>>;

/** A table whose rows are moved. */
export interface Table {
  readonly name: string;
  /** But those that are generated from others. */
  readonly columns: readonly string[];
  /** What tells its rows apart, and puts them in order. */
  readonly key: readonly string[];
  /** The column that counts up with each row, where one does. */
  readonly counter: string | undefined;
}

/** Which of two databases is in charge, as each of them says it. A database that says nothing is. */
export interface MoveMark {
  /**
   * `arriving`: all of it is here, and nobody may use it before the other one says that it has moved; `here`: it is in charge;
   * `moved`: the other one is.
   */
  readonly state: "arriving" | "here" | "moved";
  /** Of the move: the same on both sides. */
  readonly move: string;
  /** The other database, as it may be shown. */
  readonly place: string;
}

/** One of the two databases between which everything is moved. What it does is done one after the other. */
export interface Side {
  /** Where it is, as it may be shown. */
  readonly place: string;
  /** @returns undefined where nothing was ever moved */
  mark(): Promise<MoveMark | undefined>;
  /** Begins a transaction in which nobody else writes. @throws Error where others do not let go in time */
  begin(): Promise<void>;
  commit(): Promise<void>;
  count(table: Table): Promise<number>;
  /** So many rows at most, in the order of the key, after one. */
  page(table: Table, after: StoredRow | undefined, size: number): Promise<readonly StoredRow[]>;
  insert(table: Table, rows: readonly StoredRow[]): Promise<void>;
  /** The last number that a table's counter gave, or 0; of a row that is gone, too: none is given twice. */
  lastNumber(table: Table): Promise<number>;
  setLastNumber(table: Table, number: number): Promise<void>;
  /** Says who is in charge: where it is not this one, nobody can write here any more, whoever has it open already. */
  setMark(mark: MoveMark): Promise<void>;
  /** What was begun and not committed is not done. */
  close(): Promise<void>;
}
