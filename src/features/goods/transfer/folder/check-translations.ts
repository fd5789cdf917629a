import type { LanguageCode } from '#kernel/language.ts'
import { pluralCategories, type PluralForm, type PluralForms } from '#kernel/plural.ts'
import type { CatalogueFolder } from './catalogue.ts'
import { englishTexts } from './english.ts'
import type { Report } from './faults.ts'
import { SUBJECTS, type TranslationEntry } from '../schema/translations.ts'

/** Each translation belongs to something of this folder. */
export function checkTranslations(
  folder: CatalogueFolder,
  reporter: (file: string) => Report,
): void {
  const english = englishTexts(folder)
  for (const [language, file] of folder.translations) {
    const report = reporter(`translations/${language}.json`)
    for (const subject of SUBJECTS) {
      for (const [code, fields] of Object.entries(file[subject] ?? {})) {
        const known = english[subject].get(code)
        const path = `${subject}${/^[\w-]+$/.test(code) ? `.${code}` : `["${code}"]`}`
        if (!known) report(path, `this folder has no ${subject} ${code}`)
        else if (!isOneText(fields)) {
          for (const field of Object.keys(fields))
            if (!known.has(field)) report(`${path}["${field}"]`, `${code} has no text ${field}`)
          if (subject === 'unit') checkUnitForms(language, formsOf(fields), path, report)
        } else if (!known.has('name')) report(path, 'say which text it translates')
      }
    }
  }
}

function formsOf(fields: Readonly<Record<string, TranslationEntry>>): PluralForms {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([field]) => field !== 'name')
      .map(([field, entry]) => [field, typeof entry === 'string' ? entry : entry.text]),
  )
}

/** A unit that says one form says all that the language's numbers need, each of them with the figure where it is not a word. */
export function checkUnitForms(
  language: LanguageCode,
  forms: PluralForms,
  path: string,
  report: Report,
): void {
  const said = Object.keys(forms) as PluralForm[]
  if (said.length === 0) return
  const needed = pluralCategories(language)
  const lacking = needed.filter((form) => forms[form] === undefined)
  if (lacking.length > 0)
    report(path, `numbers in ${language} also need the form ${lacking.join(', ')}`)
  for (const form of said) {
    if (!form.startsWith('=') && !needed.includes(form))
      report(`${path}["${form}"]`, `no number in ${language} has the form ${form}`)
    const places = forms[form]?.match(/\{[^}]*\}?/g) ?? []
    const isWord = places.length === 0 && WORD_FORMS.includes(form)
    if (!isWord && (places.length !== 1 || places[0] !== '{n}'))
      report(`${path}["${form}"]`, 'expected {n} once, where the number stands')
  }
}

/** Forms of one number alone, which may be told without its figure. English `one` is. */
const WORD_FORMS: readonly PluralForm[] = ['=0', '=1', '=2', 'zero', 'one', 'two']

/** A name alone, not texts by field. */
export function isOneText(fields: unknown): fields is TranslationEntry {
  return (
    typeof fields === 'string' ||
    (typeof fields === 'object' &&
      fields !== null &&
      'text' in fields &&
      typeof fields.text === 'string')
  )
}
