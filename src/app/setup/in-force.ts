import type { Rule } from "../../seam/surface/rules.ts";
import type { SetupState } from "../../seam/surface/setup.ts";
import type { Config } from "../config.ts";
import { effective, type Effective, type Environment } from "./effective.ts";
import type { Resolved } from "./resolve.ts";
import { isAtOnce } from "./fields.ts";
import type { StoredSettings } from "./stored.ts";

/** What this process goes by, and how something else comes to be in force while it runs. */
export class InForce {
  readonly env: Environment;
  readonly #reopen: (() => void) | undefined;
  #resolved: Resolved;

  /**
   * @param opened what it was opened with
   * @param reopen opens everything anew with what is stored; undefined where only a start does
   */
  constructor(env: Environment, opened: Resolved, reopen?: () => void) {
    this.env = env;
    this.#resolved = opened;
    this.#reopen = reopen;
  }

  get config(): Config {
    return this.#resolved.config;
  }

  get unused(): Effective["unused"] {
    return this.#resolved.unused;
  }

  /** When another value of a setting counts. */
  countsWhen(setting: string): Rule["counts"] {
    if (!this.#reopen) return "start";
    return isAtOnce(setting) ? "at_once" : "reopened";
  }

  /**
   * Puts what is stored in force, where it is not: rules that are looked up at each decision at once, all else by opening anew.
   * @returns how far it is
   */
  apply(stored: StoredSettings): SetupState["inForce"] {
    if (stored.revision === this.#resolved.stored.revision) return "all";
    if (!this.#reopen) return "restart";
    const { config, ...next } = effective(this.env, stored);
    if (!differing(this.#resolved.env, next.env).every(isAtOnce)) {
      this.#reopen();
      return "soon";
    }
    // Words are the same, and may have a thread of their own.
    const { words: _same, ...policy } = config.policy;
    // Everybody has this object, and asks it anew each time.
    Object.assign(this.#resolved.config.policy, policy);
    this.#resolved = { ...next, config: this.#resolved.config, stored };
    return "all";
  }
}

type Values = Effective["env"];

/** The settings that one says otherwise than the other. */
const differing = (one: Values, other: Values) =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].filter((name) => one[name] !== other[name]);
