import { z } from "zod";
import { beginning } from "../../../src/seam/text/cut.ts";

/** What somebody looks for, such as a person's id: in a request's body, because addresses are in logs. Nothing is named by more. */
export const sought = z.object({ of: z.string().transform((text) => beginning(text, 300)) });
