import type { ProofKind } from '#features/team/operator/rules.ts'

/** What may stand between a call and its answer. Each resolves to whether the operator did it. */
export interface Interruptions {
  readonly prove: (kind: ProofKind) => Promise<boolean>
  readonly signInAgain: () => Promise<boolean>
}

const NOBODY: Interruptions = {
  prove: () => Promise.resolve(false),
  signInAgain: () => Promise.resolve(false),
}

let current = NOBODY

export const interruptions = (): Interruptions => current

/** From now on these are asked. @returns what ends it */
export function handleInterruptions(handlers: Interruptions): () => void {
  current = handlers
  return () => {
    if (current === handlers) current = NOBODY
  }
}
