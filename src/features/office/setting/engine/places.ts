/** How a part of a setting is written in a form. */
export type FieldKind =
  | 'line'
  | 'text'
  | 'lines'
  | 'number'
  | 'percent'
  | 'usd'
  | 'money'
  | 'currency'
  | 'choice'
  | 'switch'
  | 'hours'
  | 'rows'
  | 'record'
  | 'groups'
  | 'cells'
  | 'secret'
  | 'json'
  | 'elsewhere'

/** Under which heading a setting stands. */
export const GROUPS = [
  'identity',
  'told',
  'selling',
  'delivery',
  'stock',
  'money',
  'rates',
  'limits',
  'supply',
] as const
export type GroupName = (typeof GROUPS)[number]

/** What follows from another value; the sentence is `setting.effect.<name>`. */
export type EffectName =
  | 'pages'
  | 'look'
  | 'footer'
  | 'mails'
  | 'selling'
  | 'deliveries'
  | 'shelves'
  | 'invoices'
  | 'late'
  | 'prices'
  | 'rates'
  | 'limits'
  | 'gate'
  | 'supply'
  | 'alerts'
  | 'sums'
  | 'checkout'

/** What holds without a value, where it is none that could be written; the words are `setting.standard.<name>`. */
export type StandardName =
  | 'ownPages'
  | 'shopName'
  | 'setUp'
  | 'shares'
  | 'units100'
  | 'units500'
  | 'units10000'
  | 'services'

interface Place {
  readonly group: GroupName
  readonly effect: EffectName
  readonly standard?: StandardName
  /** Where the shape alone does not say it. */
  readonly kind?: FieldKind
}

const identity = (effect: EffectName = 'pages', rest: Partial<Place> = {}): Place => ({
  group: 'identity',
  effect,
  ...rest,
})
const told: Place = { group: 'told', effect: 'alerts' }
const invoice: Place = { group: 'money', effect: 'invoices' }
const prices: Place = { group: 'money', effect: 'prices' }
const rates: Place = { group: 'rates', effect: 'rates' }
const gate: Place = { group: 'limits', effect: 'gate' }
const supply: Place = { group: 'supply', effect: 'supply' }
const delivery: Place = { group: 'delivery', effect: 'deliveries' }
const limit = (standard: StandardName): Place => ({ group: 'limits', effect: 'limits', standard })

/** Where a part stands that nobody has placed, which a test refuses. */
export const UNPLACED: Place = { group: 'limits', effect: 'pages' }

/** Where each part of each setting stands, and what follows from it: the one table that forms are made by, beside the schemas. */
export const PLACES: Readonly<Record<string, Place>> = {
  'shop.name': identity(),
  'shop.corporate_name': identity(),
  'shop.address': identity(),
  'shop.copyright': identity('footer'),
  'shop.support_email': identity(),
  'shop.security_contact': identity(),
  'shop.support_hours': identity(),
  'shop.mail_sender': identity('mails', { standard: 'shopName' }),
  'shop.mail_signature': identity('mails'),
  'shop.footer': identity('footer', { standard: 'ownPages' }),
  'shop.home_footer': identity('footer'),
  'shop.pay_types': identity('footer', { standard: 'setUp' }),
  'shop.social': identity('footer', { standard: 'shares' }),
  'theme.light': identity('look'),
  'theme.dark': identity('look'),
  'theme.corners': identity('look'),
  sell_incomplete: { group: 'selling', effect: 'selling' },
  payment_methods: {
    group: 'selling',
    effect: 'checkout',
    standard: 'services',
    kind: 'elsewhere',
  },
  'alerts.email': told,
  'alerts.language': told,
  'alerts.webhook': told,
  'alerts.webhook_secret': told,
  'late_delivery.factor': delivery,
  'late_delivery.refund_after_hours': delivery,
  'taken_back.refund': delivery,
  low_stock_days: { group: 'stock', effect: 'shelves' },
  shop_currency: { group: 'money', effect: 'sums' },
  'invoice.name': invoice,
  'invoice.address': invoice,
  'invoice.tax_id': invoice,
  'invoice.series': invoice,
  'invoice.credit_series': invoice,
  'invoice.kept_years': invoice,
  late_money_hours: { group: 'money', effect: 'late' },
  'prices.floor': prices,
  'prices.charm': prices,
  'prices.levels': prices,
  'prices.jump_basis_points': prices,
  'exchange_rates.sources': rates,
  'exchange_rates.spread_basis_points': rates,
  'exchange_rates.currencies': rates,
  'exchange_rates.stale_days': rates,
  'exchange_rates.stop_days': rates,
  'exchange_rates.jump_basis_points': rates,
  rate_max_age_hours: rates,
  refund_second_person_minor: limit('units100'),
  note_second_person_minor: limit('units500'),
  import_second_person_minor: limit('units10000'),
  'delivery_gate.screening': gate,
  'delivery_gate.screening_hours': gate,
  'delivery_gate.own_keys': gate,
  'delivery_gate.limits': gate,
  'supply_routing.rule': supply,
  'supply_routing.loss_basis_points': supply,
  'supply_routing.loss_usd_minor': supply,
  'supply_balance.alert_hours': supply,
}
