import { setupI18n, type Messages } from '@lingui/core'
import { startTransition, useEffect, useState, type ComponentType } from 'react'
import { hydrateRoot } from 'react-dom/client'
import '#ui/tokens.css'
import '#ui/base.css'
import '../styles/kit.css'
import '../styles/console.css'
import { showCurrent } from '#ui/show-current.ts'
import type { ConsoleView, PageState } from '../page.ts'
import { CONSOLE_PATH } from '../routes.ts'
import { Console } from '../shell/console.tsx'
import type { ConsoleWords } from '../words.tsx'
import { useLive } from './live.ts'
import { fetchPage, followNavigation } from './navigation.ts'
import { keepTyped } from './typed-before.ts'

type PageComponent = ComponentType<{ readonly data: never }>

const pages = import.meta.glob<ConsoleView<never>>('../*/page.tsx')

async function loadPage(folder: string): Promise<PageComponent> {
  const load = pages[`../${folder}/page.tsx`]
  if (!load) throw new Error(`no page ${folder}`)
  return (await load()).Page as PageComponent
}

function Application({
  first,
  FirstPage,
  words,
  tellTyped,
}: {
  readonly first: PageState
  readonly FirstPage: PageComponent
  readonly words: ConsoleWords
  /** Tells the fields what was typed before they were listened to. */
  readonly tellTyped: () => void
}) {
  const [shown, show] = useState({ state: first, Page: FirstPage })
  useEffect(() => {
    tellTyped()
    document.documentElement.dataset['alive'] = ''
  }, [])
  const isStale = useLive(shown.state, (state) => show((now) => ({ ...now, state })))
  useEffect(() => {
    for (const row of document.querySelectorAll<HTMLElement>('.views, .seg')) showCurrent(row)
  }, [shown.state])
  useEffect(
    () =>
      followNavigation(async (address, signal) => {
        const state = await fetchPage(address, signal)
        const Page = await loadPage(state.page)
        document.title = `${state.title} · ${state.frame?.shopName ?? ''}`
        startTransition(() => show({ state, Page }))
      }),
    [],
  )
  return <Console state={shown.state} words={words} Page={shown.Page} isStale={isStale} />
}

function readJson(id: string): unknown {
  return JSON.parse(document.getElementById(id)?.textContent ?? 'null')
}

function readWords(): ConsoleWords {
  const { language, dir, intl, messages } = readJson('page-words') as {
    readonly language: string
    readonly dir: 'ltr' | 'rtl'
    readonly intl: string
    readonly messages: Messages
  }
  const i18n = setupI18n({ locale: language, locales: [intl], messages: { [language]: messages } })
  return { language, dir, t: (key, values) => i18n._(key, values) }
}

const root = document.getElementById('root')
const first = readJson('page-state') as PageState
if (root && first && location.pathname.startsWith(CONSOLE_PATH)) {
  const FirstPage = await loadPage(first.page)
  hydrateRoot(
    root,
    <Application
      first={first}
      FirstPage={FirstPage}
      words={readWords()}
      tellTyped={keepTyped(root)}
    />,
  )
}
