import { englishHash } from '#features/goods/transfer/queries.ts'
import { LANGUAGE_CODES, type LanguageCode } from '#kernel/language.ts'
import { isListed, TEXT_MARK, type Listed, type Subject } from '../rules.ts'

type Row = Readonly<Record<string, unknown>>

/** An English text of goods that other languages have as well. */
export interface Word {
  /** The field that says it. */
  readonly field: string
  /** Where in the field's value it stands; empty where it is the value. */
  readonly path: readonly (string | number)[]
  /** What it is called in a change, before the language: `name`, `redeem.steps.0`, `fields.user_id.label`. */
  readonly name: string
  readonly english: string
}

/** The rows of translations that hold a word, without their language. */
export interface WordKey {
  readonly subject: 'brand' | 'phrase' | Listed
  readonly code: string
  readonly field: 'name' | 'text'
}

/** Names are each brand's own; all else is a sentence that recurs, known by its English. */
export function wordKey(subject: Subject, code: string, { name, english }: Word): WordKey {
  return hasOwnName(subject) && name === 'name'
    ? { subject, code, field: 'name' }
    : { subject: 'phrase', code: englishHash(english), field: 'text' }
}

/** Whether its name is translated as its own, and not as a sentence that recurs. */
export const hasOwnName = (subject: Subject): subject is 'brand' | Listed =>
  subject === 'brand' || isListed(subject)

/** The word and the language that a field of a change speaks of, `redeem.steps.0:de`; null for a field that is no translation. */
export function textField(
  field: string,
): { readonly word: string; readonly language: LanguageCode } | null {
  const at = field.lastIndexOf(TEXT_MARK)
  if (at < 0) return null
  const language = LANGUAGE_CODES.find((code) => code !== 'en' && code === field.slice(at + 1))
  return language === undefined ? null : { word: field.slice(0, at), language }
}

/** What an item's name is told beside: its figures make a label of their own in every language. */
export interface ItemAround {
  readonly hasUnit: boolean
  readonly hasFace: boolean
}

/** Texts of goods, or of what they are put in order by, that translators see, in the order in which shoppers do. */
export function wordsOf(subject: Subject, row: Row, around: ItemAround): readonly Word[] {
  const found: Word[] = []
  const add = (field: string, path: Word['path'], name: string, english: unknown) => {
    if (typeof english === 'string' && english !== '') found.push({ field, path, name, english })
  }
  if (isListed(subject)) add('name', [], 'name', row['name'])
  else if (subject === 'brand') brandWords(row, add)
  else if (subject === 'product') {
    add('region_name', [], 'region_name', row['region_name'])
    for (const name of ['lock_note', 'seo_title', 'seo_description']) add(name, [], name, row[name])
  } else if (isNamed(row, around)) add('name', [], 'name', row['name'])
  return found
}

type Add = (field: string, path: Word['path'], name: string, english: unknown) => void

function brandWords(row: Row, add: Add): void {
  add('name', [], 'name', row['name'])
  for (const [index, field] of ((row['fields'] ?? []) as readonly Row[]).entries()) {
    const name = `fields.${String(field['key'])}`
    add('fields', [index, 'label'], `${name}.label`, field['label'])
    add('fields', [index, 'help'], `${name}.help`, field['help'])
    const picture = field['picture'] as Row | null | undefined
    add('fields', [index, 'picture', 'alt'], `${name}.alt`, picture?.['alt'])
  }
  // An address stays as it is; a place in words is translated.
  if (String(row['redeem_at'] ?? '').includes(' '))
    add('redeem', ['at'], 'redeem.at', row['redeem_at'])
  for (const [index, step] of ((row['redeem_steps'] ?? []) as readonly string[]).entries())
    add('redeem', ['steps', index], `redeem.steps.${index}`, step)
  const format = row['key_format'] as Row | null
  add('redeem', ['key_format', 'text'], 'redeem.key_format', format?.['text'])
  add('redeem', ['validity'], 'redeem.validity', row['validity'])
  const recharge = row['recharge'] as Row | null
  add('recharge', ['prefixes_note'], 'recharge.prefixes_note', recharge?.['prefixes_note'])
}

/** Whether shoppers read an item's name, and not a label that is made of its figures. */
function isNamed(row: Row, { hasUnit, hasFace }: ItemAround): boolean {
  const has = (name: string) => row[name] !== null && row[name] !== undefined
  if (has('face_min_minor') && hasFace) return false
  const kind = row['kind']
  if (kind === 'value' || kind === 'airtime') return !(has('face_minor') && hasFace)
  if (kind === 'pack') return !(has('units') && hasUnit)
  if (kind === 'data') return !(has('data_mb') && has('days'))
  return true
}
