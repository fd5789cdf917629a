import { getLanguage, type LanguageCode } from './language.ts'

/** Forms of a phrase with a number in it: exact numbers, which go before all others, and the plural categories of CLDR. */
export const PLURAL_FORMS = [
  '=0',
  '=1',
  '=2',
  'zero',
  'one',
  'two',
  'few',
  'many',
  'other',
] as const
export type PluralForm = (typeof PLURAL_FORMS)[number]
export type PluralForms = Readonly<Partial<Record<PluralForm, string>>>

const rules = new Map<LanguageCode, Intl.PluralRules>()

function rulesOf(language: LanguageCode): Intl.PluralRules {
  let known = rules.get(language)
  if (!known) rules.set(language, (known = new Intl.PluralRules(getLanguage(language).intl)))
  return known
}

/** The categories that whole numbers of a language fall into, so that a phrase needs a form for each. */
export function pluralCategories(language: LanguageCode): readonly PluralForm[] {
  return rulesOf(language).resolvedOptions().pluralCategories
}

/** The form for a number, before its figure is put in; undefined where there is not even one for all others. */
export function pluralForm(
  language: LanguageCode,
  forms: PluralForms,
  count: number | bigint,
): string | undefined {
  return (
    forms[`=${count}` as PluralForm] ??
    forms[rulesOf(language).select(Number(count))] ??
    forms.other
  )
}
