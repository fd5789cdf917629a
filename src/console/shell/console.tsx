import type { ComponentType } from 'react'
import { IconSprite } from '#ui/icon-sprite.tsx'
import type { PageState } from '../page.ts'
import { ConsoleWordsProvider, type ConsoleWords } from '../words.tsx'
import { Frame } from './frame.tsx'

export interface ConsoleProps {
  readonly state: PageState
  readonly words: ConsoleWords
  readonly Page: ComponentType<{ readonly data: never }>
}

/** The application: a page in its frame, or alone where nobody is signed in. Rendered by the server, gone on with by the browser. */
export function Console({ state, words, Page }: ConsoleProps) {
  const page = <Page data={state.data as never} />
  return (
    <ConsoleWordsProvider value={words}>
      <IconSprite />
      <a className="skip" href="#main">
        {words.t('console.skip')}
      </a>
      {state.frame ? (
        <Frame frame={state.frame} current={state.page}>
          {page}
        </Frame>
      ) : (
        page
      )}
    </ConsoleWordsProvider>
  )
}
