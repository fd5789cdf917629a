import type { CompiledMessage } from '@lingui/message-utils/compileMessage'
import type { Liveliness } from '../islands.ts'
import type { PagePayload } from '../page.ts'

/** What the server puts beside the HTML: what the parts of the page that come alive are drawn from, and no more. */
export interface PageState {
  readonly language: {
    readonly code: string
    readonly prefix: string
    readonly dir: 'ltr' | 'rtl'
    /** Languages that figures and plurals are written by, the first that a browser knows. */
    readonly intl: string | readonly string[]
  }
  readonly currency: string
  readonly liveliness: Liveliness
  /** Address of the service worker; without one the shop wants none. */
  readonly worker?: string
  /** Without `data` on a still page; with what its islands need on one that has some. */
  readonly payload: PagePayload
  /** The texts that the living parts use, compiled, by key. */
  readonly words: Readonly<Record<string, CompiledMessage>>
}

/** Null on pages that the server made without React (its error page), which stay as they are. */
export function readPageState(document: Document): PageState | null {
  const text = document.getElementById('page-data')?.textContent
  return text ? (JSON.parse(text) as PageState) : null
}
