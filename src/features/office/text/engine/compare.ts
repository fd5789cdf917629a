import type { CompiledMessage } from '@lingui/message-utils/compileMessage'
import type { FieldProblem } from '#kernel/error.ts'
import { getLanguage, type LanguageCode } from '#kernel/language.ts'
import { compiledText } from '#platform/i18n/messages.ts'

/** What a text asks for beside its words. */
export interface MessageParts {
  /** Values that are put in. */
  readonly values: readonly string[]
  /** Choices by a value, as `kind: card wallet`. */
  readonly cases: readonly string[]
  /** Forms of each number. */
  readonly plurals: readonly (readonly string[])[]
}

/** What is worth a look and no fault. */
export type TextWarning =
  | { readonly kind: 'lacks_values'; readonly values: readonly string[] }
  | { readonly kind: 'lacks_forms'; readonly values: readonly string[] }

/** Null where it is no message. */
export function partsOf(text: string): MessageParts | null {
  const compiled = compiledText(text)
  if (!compiled) return null
  const found = { values: new Set<string>(), cases: new Set<string>(), plurals: [] as string[][] }
  collect(compiled, found)
  return {
    values: [...found.values].toSorted(),
    cases: [...found.cases].toSorted(),
    plurals: found.plurals,
  }
}

interface Found {
  readonly values: Set<string>
  readonly cases: Set<string>
  readonly plurals: string[][]
}

/** Compiled messages are nested: text, [name], or [name, kind, {form: message}]. */
function collect(message: CompiledMessage, found: Found): void {
  if (typeof message === 'string') return
  for (const token of message) {
    if (typeof token === 'string') continue
    const [name, kind, forms] = token as [string, string?, unknown?]
    found.values.add(name)
    if (typeof forms !== 'object' || forms === null) continue
    const branches = Object.keys(forms).filter((form) => form !== 'offset')
    if (kind === 'plural' || kind === 'selectordinal') found.plurals.push(branches)
    if (kind === 'select') found.cases.add(`${name}: ${branches.toSorted().join(' ')}`)
    for (const form of Object.values(forms))
      if (Array.isArray(form)) collect(form as CompiledMessage, found)
  }
}

/** Why a text cannot stand for the original; null where it can. A value that nobody puts in would be a gap, a choice that is missing another's word. */
export function problemOf(text: string, original: string): FieldProblem | null {
  const [own, wanted] = [partsOf(text), partsOf(original)]
  if (!own) return { field: 'text', reason: 'not_message' }
  if (!wanted) return null
  const list = (names: readonly string[]) =>
    names.length === 0 ? '–' : names.map((name) => `{${name}}`).join(' ')
  if (own.values.some((name) => !wanted.values.includes(name)))
    return { field: 'text', reason: 'other_values', params: { values: list(wanted.values) } }
  const isOther = own.cases.length > 0 && own.cases.some((choice) => !wanted.cases.includes(choice))
  if (isOther)
    return { field: 'text', reason: 'other_cases', params: { values: wanted.cases.join('; ') } }
  return null
}

/** What a text leaves out that the original says, and forms of numbers that its language has. */
export function warningsOf(
  language: LanguageCode,
  text: string,
  original: string,
): readonly TextWarning[] {
  const [own, wanted] = [partsOf(text), partsOf(original)]
  if (!own || !wanted) return []
  const gone = wanted.values.filter((name) => !own.values.includes(name))
  const needed = new Intl.PluralRules(getLanguage(language).intl).resolvedOptions().pluralCategories
  const lacking = needed.filter((form) => own.plurals.some((forms) => !forms.includes(form)))
  return [
    ...(gone.length > 0 ? [{ kind: 'lacks_values' as const, values: gone }] : []),
    ...(lacking.length > 0 ? [{ kind: 'lacks_forms' as const, values: lacking }] : []),
  ]
}
