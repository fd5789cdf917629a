import { createStore } from './store.ts'

export interface ToastMessage {
  readonly id: number
  readonly tone: 'ok' | 'error' | 'info'
  readonly text: string
  /** It goes by itself after so long, from when it is seen: on a slow line what shows it comes later than what it tells. */
  readonly forMs?: number | undefined
  /** The way on, without language prefix. */
  readonly link?: { readonly path: string; readonly text: string } | undefined
}

export const toasts = createStore<readonly ToastMessage[]>([])

const TOASTS_MAX = 3
let lastId = 0

/**
 * Shows a closable message, the same one once only. With `forMs` it goes by itself; errors about a person's input stay
 * until closed or until what was wanted has worked.
 */
export function showToast(
  tone: ToastMessage['tone'],
  text: string,
  forMs?: number,
  link?: ToastMessage['link'],
): void {
  const id = (lastId += 1)
  const others = toasts
    .get()
    .filter((toast) => toast.text !== text && !(tone === 'ok' && toast.tone === 'error'))
  toasts.set([...others, { id, tone, text, forMs, link }].slice(-TOASTS_MAX))
}

export function closeToast(id: number): void {
  toasts.set(toasts.get().filter((toast) => toast.id !== id))
}
