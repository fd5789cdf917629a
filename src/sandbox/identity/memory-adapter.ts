import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider'

interface Entry {
  readonly payload: AdapterPayload
  readonly expiresAt: number
}

/**
 * What the provider remembers, for this process alone: everything expires, and of more than `max` things the oldest go.
 * A restart forgets sign-ins under way, no more.
 */
export function memoryAdapter(max = 2_000, now: () => number = Date.now): AdapterFactory {
  const entries = new Map<string, Entry>()
  const read = (key: string): AdapterPayload | undefined => {
    const entry = entries.get(key)
    if (entry && entry.expiresAt > now()) return entry.payload
    entries.delete(key)
    return undefined
  }
  const write = (key: string, payload: AdapterPayload, expiresAt: number) => {
    entries.delete(key)
    entries.set(key, { payload, expiresAt })
    for (const oldest of entries.keys()) {
      if (entries.size <= max) break
      entries.delete(oldest)
    }
  }
  const find = (matches: (payload: AdapterPayload) => boolean, model: string) => {
    for (const key of entries.keys()) {
      const payload = key.startsWith(`${model}:`) ? read(key) : undefined
      if (payload && matches(payload)) return payload
    }
    return undefined
  }
  return (model): Adapter => ({
    upsert: async (id, payload, seconds) =>
      write(
        `${model}:${id}`,
        payload,
        seconds ? now() + seconds * 1_000 : Number.POSITIVE_INFINITY,
      ),
    find: async (id) => read(`${model}:${id}`),
    findByUid: async (uid) => find((payload) => payload.uid === uid, model),
    findByUserCode: async (code) => find((payload) => payload.userCode === code, model),
    async consume(id) {
      const payload = read(`${model}:${id}`)
      if (payload) payload.consumed = Math.floor(now() / 1_000)
    },
    destroy: async (id) => void entries.delete(`${model}:${id}`),
    async revokeByGrantId(grantId) {
      for (const [key, { payload }] of entries) if (payload.grantId === grantId) entries.delete(key)
    },
  })
}
