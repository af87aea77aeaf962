/** What is done while a process has a role. */
export interface RolePart {
  /**
   * Begins it.
   * @param state what whoever had the role before left of {@link state}
   */
  begin(state: string | undefined): Promise<void>;
  /** Ends it, as soon as it can. */
  end(): Promise<void>;
  /** What whoever has the role next is to go on with; asked about once a second. */
  readonly state?: () => string | undefined;
}

/** Something that one process at a time does for all that share a database, such as hearing what a platform tells. */
export interface Role {
  /**
   * Has this process do its part whenever nobody else does.
   * @returns once it has begun, or somebody else is known to have the role
   */
  play(part: RolePart): Promise<void>;
  /** Whether this process has it: asked before each thing that must not be done by two, whatever stood still before. */
  readonly isOurs: boolean;
  /** How much of what a platform takes from all who may have it is this process's, from 0 to 1: most where it has it, 1 where it is alone. */
  readonly share: number;
  /** Ends this process's part for good; another one may begin at once. */
  leave(): Promise<void>;
}

/** The role of a process that shares it with nobody. */
export function ownRole(): Role {
  let part: RolePart | undefined;
  return {
    isOurs: true,
    share: 1,
    async play(one) {
      part = one;
      await one.begin(undefined);
    },
    async leave() {
      await part?.end();
    },
  };
}
