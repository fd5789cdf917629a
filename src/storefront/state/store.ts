/** A value of the browser that several parts of a page show. On the server it is always `initial`. Knows nothing of React. */
export interface Store<T> {
  readonly get: () => T
  readonly set: (next: T) => void
  readonly subscribe: (listener: () => void) => () => void
  readonly initial: T
}

const personal = new Set<() => void>()

/** @param isPersonal it shows something of a person, which goes when they sign out */
export function createStore<T>(
  initial: T,
  { isPersonal = false }: { readonly isPersonal?: boolean } = {},
): Store<T> {
  let value = initial
  const listeners = new Set<() => void>()
  const set = (next: T) => {
    if (Object.is(next, value)) return
    value = next
    for (const listener of listeners) listener()
  }
  if (isPersonal) personal.add(() => set(initial))
  return {
    initial,
    get: () => value,
    set,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** Stores show nothing of a person any more; what is kept of them is another matter. */
export function emptyPersonalStores(): void {
  for (const empty of personal) empty()
}

/** The day on which this browser was last counted. It says nothing of a person, so that it outlives signing out. */
export const VISIT_KEY = 'visit'

/** Reads a kept value; broken or missing storage (private windows, full disks) reads as null. */
export function readStored(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null') as unknown
  } catch {
    return null
  }
}

export function keep(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value))
  } catch {
    // Nothing is lost but comfort: the choice lasts as long as the page.
  }
}

export function removeStored(key: string): void {
  try {
    localStorage.removeItem(key)
  } catch {
    // Nothing was kept then.
  }
}

/** The same for what lasts as long as the tab: what was typed and chosen, which another page takes up again. */
export function readInTab(key: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? 'null') as unknown
  } catch {
    return null
  }
}

export function keepInTab(key: string, value: unknown): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(value))
  } catch {
    // It lasts as long as the page then.
  }
}
