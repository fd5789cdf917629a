/** Changes of a cart that are not kept yet, by what they are of: called, each is kept at once. False: the shop has refused it. */
const unkept = new Map<string, () => Promise<boolean>>()

/** @returns what forgets it; false where another change of the same has come since, which stays */
export function leaveUnkept(of: string, keep: () => Promise<boolean>): () => boolean {
  unkept.set(of, keep)
  return () => unkept.get(of) === keep && unkept.delete(of)
}

/** Whoever goes to payment pays for what stands in the fields. @returns whether all of it is kept */
export async function keepChanges(): Promise<boolean> {
  const kept = await Promise.all([...unkept.values()].map((keep) => keep()))
  return kept.every(Boolean)
}
