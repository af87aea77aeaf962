import { ownBuild } from "../own-build.ts";
import { SAID } from "./said.ts";

export default ownBuild("console", "console/assets", SAID);
