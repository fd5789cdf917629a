import type { LineReason, SyncReport } from '#features/supply/sync/rules.ts'
import { table } from './table.ts'

const WORDS: Readonly<Record<Exclude<keyof SyncReport, 'lines'>, string>> = {
  listed: 'denominations listed',
  unread: 'entries that could not be read (then nothing counts as gone)',
  refused: 'products that cannot be kept, left out',
  ranges: 'products of which any amount may be bought',
  known: 'known before',
  matchedById: 'found by what identifies them',
  matchedByName: 'found by name',
  drafts: 'new drafts',
  unmatched: 'not found: supply map says what they are',
  excluded: 'excluded',
  locked: 'locked',
  newOffers: 'items bought there from now on',
  costs: 'costs changed',
  held: 'costs that jumped and wait: supply jumps',
  switched: 'in or out of stock there',
  gone: 'listed no more',
  returned: 'listed again',
  renamed: 'renamed',
  limits: 'items of which other countries may buy from now on',
  bounds: 'items whose least amount, greatest or step is another from now on',
}

const REASONS: Readonly<Record<LineReason, string>> = {
  unread: 'its entry could not be read',
  id: 'its name there is empty, longer than 200 characters, or has characters that cannot be kept',
  field: 'a field of it has a name or an option that cannot be kept, or there are too many',
  country:
    'it names an item of the shop that works in another country, or says none where that works in one alone: supply map says that it is that item',
  limits: 'it and the item that it is leave no country that may buy',
  range:
    'it does not take all the amounts that the item is sold at: the item is not bought there any more',
}

/** What a sync did, or would do: counts, then the entries with which something is wrong. */
export function reportText(report: SyncReport): string {
  return `${table(
    ['WHAT', 'HOW MANY'],
    Object.entries(WORDS).map(([name, words]) => [
      words,
      // A run of an earlier release counted less.
      String(report[name as keyof typeof WORDS] ?? 0),
    ]),
  )}${linesText(report)}`
}

/** Entries of a list with which something is wrong; nothing where there are none. */
export function linesText({ lines }: Pick<SyncReport, 'lines'>): string {
  if (lines.length === 0) return ''
  return `\n${table(
    ['ENTRY', 'WHAT IS WRONG WITH IT'],
    lines.map(({ product, why }) => [product, REASONS[why]]),
  )}`
}
