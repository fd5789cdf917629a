import type { ComponentType } from 'react'
import { IconSprite } from '#ui/icon-sprite.tsx'
import type { PageState } from '../page.ts'
import { ConsoleWordsProvider, type ConsoleWords } from '../words.tsx'
import { Frame } from './frame.tsx'
import { Interruption } from './interruption.tsx'

export interface ConsoleProps {
  readonly state: PageState
  readonly words: ConsoleWords
  readonly Page: ComponentType<{ readonly data: never }>
  /** Rows of the page have changed elsewhere and wait to be shown. */
  readonly isStale?: boolean
}

/** The application: a page in its frame, or alone where nobody is signed in. Rendered by the server, gone on with by the browser. */
export function Console({ state, words, Page, isStale = false }: ConsoleProps) {
  const page = <Page data={state.data as never} />
  return (
    <ConsoleWordsProvider value={words}>
      <IconSprite />
      <a className="skip" href="#main">
        {words.t('console.skip')}
      </a>
      {state.frame ? (
        <>
          <Frame frame={state.frame} current={state.page} address={state.address} isStale={isStale}>
            {page}
          </Frame>
          <Interruption isDemo={state.frame.isDemo} />
        </>
      ) : (
        page
      )}
    </ConsoleWordsProvider>
  )
}
