/** What is under way, or waits, for each operator in this process: the last of it. */
const last = new Map<string, Promise<unknown>>()

/** Does work once what the same operator has asked for before is done, whatever came of that. */
export async function afterOwn<T>(actor: string, work: () => Promise<T>): Promise<T> {
  const before: Promise<unknown> = last.get(actor) ?? Promise.resolve()
  const mine = before.then(work)
  const over = mine.catch(() => {})
  last.set(actor, over)
  try {
    return await mine
  } finally {
    if (last.get(actor) === over) last.delete(actor)
  }
}
