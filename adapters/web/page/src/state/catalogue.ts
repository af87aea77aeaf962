import { useEffect, useState } from "preact/hooks";
import type { FieldSpec, Suggestion } from "../../../../../src/seam/fields.ts";
import type { Value, Values } from "../../../../../src/seam/values.ts";
import { problemOf } from "./api.ts";
import { useChat } from "./context.ts";

/** Lists that were read already: a gallery, a chip and a bubble often want the same one. */
const lists = new Map<string, Promise<readonly Suggestion[]>>();

/**
 * A field's catalogue.
 * @param parent the value of the field that narrows it, where there is one
 * @returns undefined while it is read, and where there is nothing to read
 */
export function useCatalogue(
  operation: string,
  field: FieldSpec | undefined,
  parent?: Value,
): readonly Suggestion[] | undefined {
  const { api, report } = useChat();
  const [list, setList] = useState<readonly Suggestion[]>();
  const within = field?.within;
  const wanted = field !== undefined && (within === undefined || parent !== undefined);
  const key = JSON.stringify([field?.catalogue, parent]);
  useEffect(() => {
    setList(undefined);
    if (!wanted) return undefined;
    const values: Values = within !== undefined && parent !== undefined ? { [within]: parent } : {};
    let current = true;
    const reading = lists.get(key) ?? api.suggest(operation, field.name, values);
    lists.set(key, reading);
    reading.then(
      (read) => current && setList(read),
      (error: unknown) => {
        lists.delete(key);
        if (current) report(problemOf(error));
      },
    );
    return () => {
      current = false;
    };
  }, [key]);
  return list;
}
