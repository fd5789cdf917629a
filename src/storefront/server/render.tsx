import type { Scheme } from '#features/base/theme/rules.ts'
import { renderToString } from 'react-dom/server'
import type { Language } from '#kernel/language.ts'
import type { Translate } from '#platform/i18n/messages.ts'
import { WordsProvider } from '../i18n.tsx'
import type { ShellData } from '../page.ts'
import { Shell } from '../shell/shell.tsx'
import type { ClientAssets } from './assets.ts'
import { renderDocument } from './document.ts'
import type { LoadedPage } from './load-page.ts'
import { getServerPage } from './registry.ts'

export interface RenderInput {
  readonly loaded: LoadedPage
  readonly shell: ShellData
  readonly language: Language
  readonly t: Translate
  readonly publicUrl: string
  readonly assets: ClientAssets
  /** Browsers keep a page for when the shop cannot be reached. */
  readonly hasOfflinePage: boolean
  /** A page that is looked at in one scheme, whatever the device has. */
  readonly scheme?: Scheme
}

/** The whole HTML of a page. Only React's plain string rendering: no stream, no router on the server. */
export function renderPage(input: RenderInput): Buffer {
  return renderDocument(input, renderToString(<PageTree {...input} />))
}

/** The tree whose islands the browser hydrates. */
export function PageTree({ loaded, shell, language, t }: RenderInput) {
  const { Page, liveliness } = getServerPage(loaded.payload.page)
  return (
    <WordsProvider
      value={{ language: language.code, prefix: language.prefix, dir: language.dir, t }}
    >
      <Shell
        shell={shell}
        payload={loaded.payload}
        layout={loaded.layout}
        isWhole={liveliness === 'whole'}
        Page={Page}
      />
    </WordsProvider>
  )
}
