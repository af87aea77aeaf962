import { chance } from "../../src/sandbox/liberties/chance.ts";

/** Every answer that a platform's description allows to each of its open questions, the usual one first. */
export type Choices<T> = { readonly [K in keyof T]: readonly [T[K], ...T[K][]] };

/** What a platform does usually. */
export function usual<T>(choices: Choices<T>): T {
  return chosen(choices, ([first]) => first);
}

/** What a platform does by a seed: the same for the same seed, each answer as often as any other. */
export function drawn<T>(choices: Choices<T>, seed: number): T {
  return chosen(choices, (answers, name) => {
    const at = Math.floor(chance(String(seed), name) * answers.length);
    return answers[at] ?? answers[0];
  });
}

function chosen<T>(choices: Choices<T>, pick: <A>(answers: readonly [A, ...A[]], name: string) => A): T {
  const entries = Object.entries<readonly [unknown, ...unknown[]]>(
    choices as Record<string, readonly [unknown]>,
  );
  return Object.fromEntries(entries.map(([name, answers]) => [name, pick(answers, name)])) as T;
}
