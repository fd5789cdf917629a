import type { Missing } from '#features/base/shop/rules.ts'

/** What a shop needs before it sells for real, in the order in which it is done. */
export const READY_LINES = [
  'identity',
  'texts',
  'goods',
  'keys',
  'pay',
  'paid',
  'mail',
  'letter',
  'https',
  'factor',
  'owners',
  'backup',
  'restore',
  'alerts',
  'rates',
  'invoice',
] as const
export type ReadyName = (typeof READY_LINES)[number]

export interface ReadyLine {
  readonly name: ReadyName
  readonly isDone: boolean
  /** Without it the shop cannot sell, or should not for an hour. */
  readonly isNeeded: boolean
  /** Where it is mended, below the console; null where that is outside of it. */
  readonly path: string | null
  /** What of it is open, as settings and texts are called. */
  readonly open: readonly string[]
}

/** What the machine knows: its variables, and its folder of backups. */
export interface MachineFacts {
  readonly isHttps: boolean
  readonly hasMailServer: boolean
  /** Outside services, and bank details. */
  readonly waysToPay: number
  readonly backup: { readonly isMade: boolean; readonly isRestored: boolean }
}

/** What the database knows. */
export interface ShopFacts {
  readonly missing: readonly Missing[]
  readonly hasGoods: boolean
  readonly hasStock: boolean
  readonly hasBeenPaid: boolean
  readonly hasSentMail: boolean
  readonly owners: readonly { readonly name: string; readonly hasFactor: boolean }[]
  readonly isToldOfTrouble: boolean
  readonly staleRates: readonly string[]
  readonly makesInvoices: boolean
}

const NEEDED: readonly ReadyName[] = [
  'identity',
  'texts',
  'goods',
  'keys',
  'pay',
  'mail',
  'https',
  'backup',
]
const PATHS: Readonly<Partial<Record<ReadyName, string>>> = {
  identity: '/settings#shop.name',
  texts: '/guide?step=identity',
  goods: '/products',
  keys: '/keys',
  pay: '/money?view=providers',
  paid: '/money?view=providers',
  letter: '/setup#letter',
  factor: '/me',
  owners: '/people',
  backup: '/system',
  restore: '/system',
  alerts: '/settings#alerts.email',
  rates: '/settings#exchange_rates.sources',
  invoice: '/settings#invoice.name',
}

/** The list: each line from a fact, true at the moment at which it is asked for. */
export function readyLines(shop: ShopFacts, machine: MachineFacts): readonly ReadyLine[] {
  const settings = shop.missing.filter((what) => what.startsWith('shop.'))
  const texts = shop.missing.filter((what) => !what.startsWith('shop.'))
  const bare = shop.owners.filter(({ hasFactor }) => !hasFactor).map(({ name }) => name)
  const open: Readonly<Record<ReadyName, readonly string[] | boolean>> = {
    identity: settings,
    texts,
    goods: !shop.hasGoods,
    keys: !shop.hasStock,
    pay: machine.waysToPay === 0,
    paid: !shop.hasBeenPaid,
    mail: !machine.hasMailServer,
    letter: !shop.hasSentMail,
    https: !machine.isHttps,
    factor: bare,
    owners: shop.owners.length < 2,
    backup: !machine.backup.isMade,
    restore: !machine.backup.isRestored,
    alerts: !shop.isToldOfTrouble,
    rates: shop.staleRates,
    invoice: !shop.makesInvoices,
  }
  return READY_LINES.map((name) => {
    const left = open[name]
    const isDone = typeof left === 'boolean' ? !left : left.length === 0
    return {
      name,
      isDone,
      isNeeded: NEEDED.includes(name),
      path: PATHS[name] ?? null,
      open: typeof left === 'boolean' ? [] : left,
    }
  })
}

export const countOpen = (lines: readonly ReadyLine[]): number =>
  lines.filter(({ isDone }) => !isDone).length
