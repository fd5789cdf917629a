import { LANGUAGES } from '#kernel/language.ts'
import type { ConsoleWords } from '../words.tsx'

/** What is called so elsewhere in the console as well. */
const NAMED = {
  price: 'console.products.price',
  market: 'console.products.market',
  cost: 'console.products.cost',
  stock: 'console.products.stock',
  position: 'console.products.position',
  prices: 'console.products.prices',
  levels: 'console.products.levels',
  region: 'console.products.region',
  status: 'console.orders.state',
  name: 'console.people.name',
} as const

const OWN = [
  'aliases',
  'blocked_countries',
  'bonus',
  'buyer_countries',
  'categories',
  'check',
  'countries',
  'data_mb',
  'days',
  'face',
  'face_currency',
  'fields',
  'free_amount',
  'game',
  'hot',
  'lock',
  'lock_note',
  'min_age',
  'minutes',
  'picture',
  'platforms',
  'popularity',
  'publisher',
  'recharge',
  'redeem',
  'reference',
  'region_name',
  'released',
  'seo_description',
  'seo_title',
  'unit',
  'units',
] as const

type Words = ConsoleWords['t']

/** What a field of goods is called; of a translation, with its language. */
export function fieldText(t: Words, field: string): string {
  const at = field.lastIndexOf(':')
  if (at > 0) {
    const language = LANGUAGES.find(({ code }) => code === field.slice(at + 1))
    return `${wordText(t, field.slice(0, at))} · ${language?.nativeName ?? field.slice(at + 1)}`
  }
  if (field in NAMED) return t(NAMED[field as keyof typeof NAMED])
  const own = OWN.find((one) => one === field)
  return own === undefined ? field : t(`console.product.field.${own}`)
}

/** A text of goods by its name in a change: "Name", "Step 2", "zone_id: help". */
export function wordText(t: Words, name: string): string {
  const [field = '', second = '', third = ''] = name.split('.')
  if (field === 'fields') return `${second}: ${partText(t, third)}`
  if (name === 'redeem.at') return t('console.product.redeemAt')
  if (second === 'steps') return t('console.product.stepNumber', { number: Number(third) + 1 })
  if (second === 'validity') return t('console.product.validity')
  if (second === 'key_format') return t('console.product.keyFormat')
  return fieldText(t, field)
}

function partText(t: Words, part: string): string {
  if (part === 'label') return t('console.product.word.label')
  return t(part === 'help' ? 'console.product.word.help' : 'console.product.word.alt')
}
