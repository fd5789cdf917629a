import type { ReactNode } from 'react'
import type { PaymentEnvironment } from '#features/office/payment-service/engine/settings.ts'
import type { ReadyLine } from '#features/office/readiness/rules.ts'
import type { PayProviders } from '#features/goods/pay-method/rules.ts'
import type { OperatorCtx } from '#features/team/operator/commands.ts'
import type { Operator, OperatorSession, Theme } from '#features/team/operator/rules.ts'
import type {
  SupplyEnvironment,
  Suppliers,
} from '#features/office/supplier-service/engine/settings.ts'
import type { Language } from '#kernel/language.ts'
import type { Translate } from '#platform/i18n/messages.ts'

type PayProvider = PayProviders extends ReadonlyMap<string, infer One> ? One : never

/** What a page of the console is loaded with. */
export interface ConsoleContext {
  readonly ctx: OperatorCtx
  /** The one that asks for the page. */
  readonly session: OperatorSession
  readonly language: Language
  readonly t: Translate
  /** The shop's own: all times are told in it. */
  readonly timeZone: string
  readonly shop: { readonly name: string; readonly isDemo: boolean }
  /** Address of the picture of a product, by its code; empty where there is none. */
  readonly pictureOf: (product: string) => string
  /** Path of some product's page in the shop; null while there is none. */
  readonly aProductPath: () => string | null
  /** How the shop is paid now, and what of it the environment says. */
  readonly paying: {
    readonly environment: PaymentEnvironment
    /** Origin of the shop, where services tell of payments. */
    readonly publicUrl: string
    readonly providers: ReadonlyMap<string, PayProvider & { readonly disputes?: unknown }>
  }
  /** Whom the shop buys from now, and what of it the environment says. */
  readonly supplying: { readonly environment: SupplyEnvironment; readonly suppliers: Suppliers }
  /** Whether the shop is ready, by facts looked up now. */
  readonly ready: () => Promise<readonly ReadyLine[]>
  /** Parts of the address that the route names. */
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
}

/** What a page is made of: plain JSON, read by the server's rendering and by the browser alike. */
export interface Loaded<Data> {
  readonly title: string
  readonly data: Data
}

/** A page's `load.ts`. Throws AppError. */
export interface ConsoleLoader<Data> {
  readonly load: (context: ConsoleContext) => Promise<Loaded<Data>>
}

/** A page's `page.tsx`. */
export interface ConsoleView<Data> {
  readonly Page: (props: { readonly data: Data }) => ReactNode
}

/** What the frame around every page shows. */
export interface FrameData {
  readonly operator: Pick<Operator, 'name'> & {
    readonly shownName: string
    readonly role: string
    readonly theme: Theme
  }
  readonly shopName: string
  readonly isDemo: boolean
  /** Names of the pages that the role may read (`routes.ts`). */
  readonly readable: readonly string[]
  /** How many things of an entry need a person, and whether one is late. */
  readonly counts: Readonly<Record<string, { readonly count: number; readonly isLate: boolean }>>
  /** The shop's time when this was made, in words. */
  readonly shopTime: string
}

/** A page as it goes to the browser: in its HTML, and as JSON when the next page is opened. */
export interface PageState {
  readonly page: string
  /** Path and query below `/console`. */
  readonly address: string
  readonly title: string
  readonly data: unknown
  readonly frame: FrameData | null
}
