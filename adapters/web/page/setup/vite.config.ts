import { ownBuild } from "../own-build.ts";

/** What this page says: of all else it knows nothing. */
const SAID =
  /^(?:setup\.|choice\.locale\.|page\.(?:language|login\.|opening|refused\.|reload)|wanted\.key_|error\.(?:bad_request|internal|role_may_not|storage_down))/;

export default ownBuild("setup", "setup", SAID);
