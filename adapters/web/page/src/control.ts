import type { FieldSpec } from "../../../../src/chat/fields.ts";
import type { Value } from "../../../../src/chat/values.ts";

/** What every control gets. */
export interface ControlProps {
  readonly id: string;
  readonly field: FieldSpec;
  readonly value: Value | undefined;
  readonly describedBy: string | undefined;
  readonly invalid: boolean;
  readonly onValue: (value: Value | undefined) => void;
}
