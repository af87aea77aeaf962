import type { Memory } from "../../common/memory.ts";
import type { Database } from "../../infrastructure/storage/database.ts";
import { memory } from "../../infrastructure/storage/key-value.ts";
import type { Vault } from "../../infrastructure/vault/vault.ts";
import type { Platform } from "../values.ts";

/** What a surface keeps that may hold keys and what people say: encrypted. */
export const sealedMemory = (database: Database, vault: Vault, surface: Platform): Memory =>
  vault.sealed(memory(database, `${surface}-sealed`), surface);
