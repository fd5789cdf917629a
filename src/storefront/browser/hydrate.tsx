import { StrictMode, startTransition, useEffect, type ReactNode } from 'react'
import { hydrateRoot, type Root } from 'react-dom/client'
import { PageStateProvider } from '../forms/page-state.tsx'
import { WordsProvider, type Words } from '../i18n.tsx'
import { readFirstTouch, replayFirstTouch } from './first-touch.ts'
import type { PageState } from './page-state.ts'
import { createWords } from './words.ts'

/** What everything that comes alive on a page stands in. */
export interface Surroundings {
  readonly page: PageState
  readonly words: Words
}

let kept: Surroundings | undefined

export function surroundingsOf(page: PageState): Surroundings {
  return (kept ??= { page, words: createWords(page) })
}

/**
 * Brings the element of an island to life from the tree that the server rendered into it. In slices, so that a slow phone answers
 * meanwhile; settles when React has committed, which only an effect can tell.
 */
export function hydrateIsland(
  element: HTMLElement,
  tree: ReactNode,
  surroundings: Surroundings,
): Promise<Root> {
  return new Promise((resolve) => {
    startTransition(() => {
      const root = hydrateRoot(
        element,
        surround(tree, surroundings, () => {
          const touch = readFirstTouch(element)
          // Once all effects have run, React may be told of it.
          queueMicrotask(() => {
            replayFirstTouch(element, touch)
            resolve(root)
          })
        }),
      )
    })
  })
}

/** Last in the tree, so that the effects of all others have run before it. */
function Committed({ then }: { readonly then: () => void }) {
  useEffect(() => then(), [])
  return null
}

export function surround(
  tree: ReactNode,
  { page, words }: Surroundings,
  then: () => void = () => undefined,
): ReactNode {
  const { address, outcome } = page.payload
  return (
    <StrictMode>
      <WordsProvider value={words}>
        <PageStateProvider value={{ address, outcome }}>
          {tree}
          <Committed then={then} />
        </PageStateProvider>
      </WordsProvider>
    </StrictMode>
  )
}
