import { hash } from 'node:crypto'
import type { Scheme } from '#features/base/theme/rules.ts'
import type { ShopSnapshot } from '#features/goods/browse/snapshot.ts'
import { US_DOLLAR, type Currency } from '#features/goods/currency/rules.ts'
import type { Language } from '#kernel/language.ts'
import { readSelection } from '#platform/http/selection.ts'
import { textsRevision, translatorOf } from '#platform/i18n/messages.ts'
import type { Outcome } from '../forms/form.ts'
import type { ShellData } from '../page.ts'
import { loadShell } from '../shell/load.ts'
import type { Address } from './address.ts'
import type { ClientAssets } from './assets.ts'
import { canonicalAddress, loadPage, type LoadedPage } from './load-page.ts'
import { matchRoute, type RouteMatch } from './match.ts'
import type { PageRequest } from './page-answer.ts'
import { admit, personalParts, type People } from './personal.ts'
import { renderPage } from './render.tsx'

export interface PageMakerOptions {
  readonly snapshot: () => ShopSnapshot
  readonly assets: () => ClientAssets
  readonly publicUrl: string
  readonly timeZone: string
  readonly people: People
  readonly hasOfflinePage: boolean
  /** Counts a search that found nothing. */
  readonly missed?: (keywords: string) => void
}

/** 132 bits. */
const DIGEST_LENGTH = 22

type PageAddress = Extract<Address, { readonly kind: 'page' }>

/** How a page looks that is tried. */
export interface PageLook {
  readonly theme: ShellData['theme']
  readonly scheme: Scheme
}

/** A page as it is asked for, of the catalogue as it was then. */
export interface AskedPage {
  readonly request: PageRequest
  readonly language: Language
  /** Null where the address can name no page. */
  readonly path: string | null
  readonly match: RouteMatch | null
  readonly query: URLSearchParams
  /** In canonical form, without the language's prefix. */
  readonly address: string
  readonly shop: ShopSnapshot
  readonly currency: Currency
}

export interface PageMaker {
  readonly readAsked: (request: PageRequest, address: PageAddress) => AskedPage
  /** Throws PageRedirect. */
  readonly load: (asked: AskedPage, outcome?: Outcome | null) => Promise<LoadedPage>
  /** @param look in place of the shop's own */
  readonly render: (loaded: LoadedPage, asked: AskedPage, look?: PageLook) => Buffer
  /** What a page would be rendered from, texts as they are now among it, in few letters; the language is in its address, files are the program's. */
  readonly says: (loaded: LoadedPage, asked: AskedPage) => string
  /** Forgets what was made of a catalogue before. */
  readonly clear: () => void
}

/** Loads pages and renders them; it keeps the data of their frames alone. */
export function createPageMaker(options: PageMakerOptions): PageMaker {
  const { publicUrl, people } = options
  const shells = new Map<string, { readonly data: ShellData; readonly says: string }>()
  return { readAsked, load, render, says, clear: () => shells.clear() }

  function readAsked(request: PageRequest, { language, path, query }: PageAddress): AskedPage {
    const shop = options.snapshot()
    const match = path === null ? null : matchRoute(path)
    const address = canonicalAddress(path ?? '/', match, query, publicUrl)
    const currency = currencyOf(request, shop)
    return { request, language, path, match, query, address, shop, currency }
  }

  async function load(asked: AskedPage, outcome: Outcome | null = null): Promise<LoadedPage> {
    const { request, language, match, address, shop, currency } = asked
    const path = asked.path ?? '/'
    const common = {
      shop,
      language,
      currency,
      t: translatorOf(language.code),
      path,
      query: new URLSearchParams(address.slice(path.length)),
      timeZone: options.timeZone,
      publicUrl,
      country: countryOf(request),
      payProviders: people.payments.providers,
      missed: options.missed,
    }
    if (match?.route.access === undefined) return loadPage(common, match)
    const person = await admit(match.route, address, request.cookie, people)
    const headerPerson = person ? await people.headerOf(person, shop) : null
    const cookies: string[] = []
    const personal = personalParts(person, people, common, request.cookie, { outcome, cookies })
    return { ...(await loadPage({ ...common, ...personal, headerPerson }, match)), cookies }
  }

  function render(loaded: LoadedPage, asked: AskedPage, look?: PageLook): Buffer {
    const shell = shellOf(asked).data
    return renderPage({
      loaded,
      shell: look ? { ...shell, theme: look.theme } : shell,
      ...(look ? { scheme: look.scheme } : {}),
      language: asked.language,
      t: translatorOf(asked.language.code),
      publicUrl,
      assets: options.assets(),
      hasOfflinePage: options.hasOfflinePage,
    })
  }

  function says({ payload, meta, layout }: LoadedPage, asked: AskedPage): string {
    return digestOf(JSON.stringify([payload, meta, layout, textsRevision()]) + shellOf(asked).says)
  }

  /** The frame's data, made once for each language and currency of a snapshot. */
  function shellOf({ shop, language, currency }: AskedPage) {
    const key = `${shop.version} ${language.code} ${currency.code}`
    const known = shells.get(key)
    if (known) return known
    const t = translatorOf(language.code)
    const payProviders = people.payments.providers
    const data = loadShell({ shop, language, currency, t, publicUrl, payProviders })
    const shell = { data, says: digestOf(JSON.stringify(data)) }
    shells.set(key, shell)
    return shell
  }
}

function digestOf(text: string): string {
  return hash('sha256', text, 'base64url').slice(0, DIGEST_LENGTH)
}

/** The visitor's currency when the shop sells in it, else US dollars. */
export function currencyOf(request: PageRequest, shop: ShopSnapshot): Currency {
  const chosen =
    request.cookie === undefined
      ? undefined
      : shop.currencyByCode.get(readSelection(request.cookie).currency_code ?? '')
  return chosen?.isCheckout && chosen.perUsd
    ? chosen
    : (shop.currencyByCode.get('USD') ?? US_DOLLAR)
}

/** For redirects alone, which are never kept: no page may differ by it (see PageContext). */
function countryOf(request: PageRequest): string | null {
  return request.cookie === undefined ? null : (readSelection(request.cookie).country_code ?? null)
}
