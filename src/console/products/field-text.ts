import type { ConsoleWords } from '../words.tsx'

const FIELD_WORDS = [
  'price',
  'market',
  'cost',
  'stock',
  'position',
  'status',
  'name',
  'prices',
  'levels',
] as const
/** What is called so elsewhere in the console as well. */
const NAMED = { status: 'console.orders.state', name: 'console.people.name' } as const
type Own = Exclude<(typeof FIELD_WORDS)[number], keyof typeof NAMED>

/** What a field of the list is called; the rest belong to the editor of one product. */
export function fieldText(t: ConsoleWords['t'], field: string): string {
  const word = FIELD_WORDS.find((one) => one === field)
  if (word === undefined) return field
  return t(word in NAMED ? NAMED[word as keyof typeof NAMED] : `console.products.${word as Own}`)
}
