import { tellingBy } from "../../kit/pipeline/handler.ts";
import { platform } from "./platform.ts";

/** A handler that tells people what is wrong with what they asked for, in private. */
export const telling = tellingBy(platform.post);
