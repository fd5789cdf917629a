import type { MessageKey } from '#platform/i18n/keys.ts'
import type { ROUTES } from '../routes.ts'

/** Addresses whose page is a first version: it says what will be here and what works already. */
export type RoomPath = Extract<(typeof ROUTES)[number], { readonly page: 'later' }>['path']

export interface Room {
  readonly text: MessageKey
  /** What is written to the shop, and the subject it goes under. */
  readonly mail?: MessageKey
  /** Ways on; the first leads. */
  readonly links: readonly { readonly path: string; readonly text: MessageKey }[]
}

const CARDS = { path: '/cards', text: 'later.toCards' } as const
const TOP_UP = { path: '/top-up', text: 'later.toTopUp' } as const
const SUPPORT = { path: '/support', text: 'later.toSupport' } as const
const CART = { path: '/shop-cart', text: 'later.toCart' } as const
const HOME = { path: '/', text: 'shell.home' } as const
const SALES = { path: '/sales', text: 'later.toSales' } as const

export const ROOMS: Readonly<Record<RoomPath, Room>> = {
  '/sales': { text: 'later.salesText', links: [TOP_UP, CARDS] },
  '/sales/66': {
    text: 'later.festivalText',
    links: [SALES, CARDS],
  },
  '/66': {
    text: 'later.festivalText',
    links: [SALES, CARDS],
  },
  '/feedback': {
    text: 'content.feedbackText',
    mail: 'content.feedbackTitle',
    links: [SUPPORT, HOME],
  },
  '/order/currency': {
    text: 'later.orderCurrencyText',
    links: [CART, { path: '/pay-type', text: 'later.toPayTypes' }],
  },
}
