import { ReelayError } from "../../common/errors.ts";

/** The platform takes a result in no form, and its person was told where it waits. */
export class TakesNoForm extends ReelayError {
  constructor() {
    super("undeliverable");
  }
}
