import type { ShownTheme } from '#features/base/theme/views.ts'
import type { ShopSnapshot } from '#features/goods/browse/snapshot.ts'
import type { Currency } from '#features/goods/currency/rules.ts'
import type { Language } from '#kernel/language.ts'
import type { AskAbout, PaymentServices } from '#features/buying/payment/flows.ts'
import type { PayProviders } from '#features/goods/pay-method/rules.ts'
import type { OfferedService } from '#features/people/identity/rules.ts'
import type { Person } from '#features/people/session/rules.ts'
import type { Ctx } from '#platform/ctx.ts'
import type { Translate } from '#platform/i18n/messages.ts'
import type { ReactNode } from 'react'
import type { IconName } from '#ui/icon-paths.ts'
import type { Outcome } from './forms/form.ts'

/** What a page's server-only loader may use. The same for every visitor of one address, language and currency. */
export interface PageContext {
  readonly shop: ShopSnapshot
  readonly language: Language
  readonly currency: Currency
  readonly t: Translate
  /** Path without language prefix, decoded, no trailing slash. */
  readonly path: string
  /** Values of the route's `:name` segments. */
  readonly params: Readonly<Record<string, string | undefined>>
  readonly query: URLSearchParams
  readonly timeZone: string
  /**
   * Country the visitor chose (ISO 3166), for decisions on redirects alone: pages are kept without it and given to
   * everyone, so no text of a page may depend on it. Null when none was chosen.
   */
  readonly country: string | null
  /** Origin of the shop's public address: "https://shop.example". */
  readonly publicUrl: string
  /** Providers of payments that are set up. */
  readonly payProviders: PayProviders
  /** Counts a search that found nothing, by its words alone. */
  readonly missed?: ((keywords: string) => void) | undefined
}

/**
 * What the loader of a personal page may use beside: who asks, and the database. Its answer is made for one person and never
 * kept. Routes with `access` are personal.
 */
export interface PersonalPageContext extends PageContext {
  /** Null on pages that are open to visitors. */
  readonly person: Person | null
  /** Acts for the person. */
  readonly ctx: Ctx
  /** Value of a cookie the browser sent; null without. */
  readonly cookie: (name: string) => string | null
  /** Has the browser forget the cart that it kept: an account has it now. */
  readonly forgetVisitorCart: () => void
  /** A form of this page that was just sent without script. */
  readonly outcome: Outcome | null
  readonly offer: Offer
  readonly payments: PagePayments
}

/** What pages of paying use beside the database. */
export interface PagePayments extends Pick<PaymentServices, 'providers'> {
  readonly ask: AskAbout
  /** Lines that say where a bank transfer goes; null where none is taken. */
  readonly transferDetails: string | null
}

/** What the shop's settings offer to who signs in. */
export interface Offer {
  /** Other services to sign in with, in the order of their buttons. */
  readonly services: readonly OfferedService[]
  /** Passwords may be longer and hold any character. */
  readonly strictPasswords: boolean
  /** Text messages can be sent, so that a phone number can be verified. */
  readonly isSmsPossible: boolean
}

/** Head of a page. Texts are in the page's language. */
export interface PageMeta {
  readonly title: string
  readonly description: string
  /** Path without language prefix of the address search engines should keep, when it is not this one. */
  readonly canonical?: string
  /** Paths of the neighbours in a list of several pages. */
  readonly previous?: string
  readonly next?: string
  /** Kept out of search engines. */
  readonly noIndex?: boolean
  /** Pictures in sight at once: fetched with the page. */
  readonly preload?: readonly {
    readonly href: string
    readonly srcSet?: string
    readonly sizes?: string
  }[]
  /** Address of the picture that other sites show beside a link to the page; without one they show the shop's. */
  readonly picture?: string | null
  /** What the page is to other sites (Open Graph): a page of the shop unless it says more. */
  readonly kind?: 'article' | 'product'
  /** schema.org description of the page. */
  readonly structuredData?: Readonly<Record<string, unknown>>
}

/** `src/storefront/<page>/load.ts`: makes the page's data, plain JSON with formatted texts. Server only. */
export interface PageLoader<Data> {
  readonly load: (page: PageContext) => Data | Promise<Data>
  readonly meta: (data: Data, page: PageContext) => PageMeta
}

/** `src/storefront/<page>/page.tsx`: renders the data, on the server and in the browser. */
export interface PageView<Data> {
  readonly Page: (props: { readonly data: Data }) => ReactNode
  /** On a page with islands of its own: what those need of the data. It alone is sent beside the HTML. */
  readonly islands?: (data: Data) => unknown
}

/** Thrown by a loader: the address names nothing. Answered with the 404 page and HTTP 404. */
export class PageNotFound extends Error {
  override readonly name = 'PageNotFound'
}

/** Thrown by a loader: the page is at another path of this shop (without language prefix). */
export class PageRedirect extends Error {
  override readonly name = 'PageRedirect'
  readonly path: string
  readonly status: 301 | 302 | 308
  constructor(path: string, status: 301 | 302 | 308 = 302) {
    super(path)
    this.path = path
    this.status = status
  }
}

/** What the server makes of a page; the HTML holds what the browser needs of it (`browser/page-state.ts`). */
export interface PagePayload {
  /** Folder of the page that renders it: the route's, or `not-found`, `failure`. */
  readonly page: string
  readonly status: number
  readonly title: string
  /** Path with query, without language prefix: the address the payload belongs to. */
  readonly address: string
  readonly data?: unknown
  /** On personal pages: who is signed in, for the header. */
  readonly person?: HeaderPerson
  /** What became of the page's form that was posted without script. */
  readonly outcome?: Outcome
}

/** The person in the header. Nothing here is more than the person's own browser may keep. */
export interface HeaderPerson {
  readonly nickname: string
  /** Address of the picture; empty without one. */
  readonly avatar: string
  readonly noticeCount: number
  /** Units in the cart. */
  readonly cartCount: number
  readonly collectCount: number
  /** Whole percent of the largest running discount among the favourites. */
  readonly collectDiscount: number
  /** Customer level, which has other prices; absent for retail. */
  readonly level?: number
}

/** What is the same on every page of one language and currency. */
export interface ShellData {
  /** What the shop is called. */
  readonly shop: string
  /** Its own stylesheet, where it has one, and what browsers draw around the page. */
  readonly theme: Pick<ShownTheme, 'address' | 'bar'>
  readonly language: string
  readonly currency: { readonly code: string; readonly symbol: string }
  readonly navigation: readonly NavigationGroup[]
  /** The home page has the footer, too. */
  readonly homeFooter: boolean
  readonly footer: FooterData
}

export interface NavigationGroup {
  readonly title: string
  readonly path: string
  readonly items: readonly { readonly title: string; readonly path: string }[]
  /** What is asked for most of it. Without prices: with them every page would change with one of them. */
  readonly popular: readonly {
    readonly path: string
    readonly image: string
    readonly name: string
    readonly lang?: string
  }[]
}

export interface FooterMark {
  readonly label: string
  readonly href: string
  readonly icon: IconName
}

export interface FooterData {
  readonly payTypes: readonly {
    readonly code: string
    readonly name: string
    readonly icon: string
  }[]
  readonly groups: readonly {
    readonly title: string
    readonly items: readonly { readonly title: string; readonly path: string }[]
  }[]
  /** The shop elsewhere. */
  readonly profiles: readonly FooterMark[]
  /** Where the shop can be told of. */
  readonly share: readonly FooterMark[]
  readonly company: string
  readonly address: string
  readonly copyright: string
}
