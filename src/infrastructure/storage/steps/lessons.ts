/**
 * What jobs cost and take, each service for itself: what the sandbox took is nobody else's price. A version before did not write down
 * whose it was.
 */
const lessons = ({
  text,
  real,
  integer,
  end,
}: Readonly<Record<"text" | "real" | "integer" | "end", string>>) => `create table lessons (
     service ${text} not null,
     operation ${text} not null,
     size ${text} not null,
     price ${real},
     mean_ms ${real},
     spread_ms ${real} not null,
     count ${integer} not null,
     primary key (service, operation, size)
   )${end};
   insert into lessons select '', operation, size, price, mean_ms, spread_ms, count from experience;`;

/** The step that makes the table of what was learned of services. */
export const LESSONS = {
  sqlite: lessons({ text: "text", real: "real", integer: "integer", end: " strict, without rowid" }),
  postgres: lessons({ text: "words", real: "double precision", integer: "bigint", end: "" }),
};
