import type { CatalogueFolder } from './catalogue.ts'
import { englishTexts } from './english.ts'
import type { Report } from './faults.ts'
import { SUBJECTS } from '../schema/translations.ts'

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
        } else if (!known.has('name')) report(path, 'say which text it translates')
      }
    }
  }
}

/** A name alone, not texts by field. */
export function isOneText(fields: unknown): boolean {
  return (
    typeof fields === 'string' ||
    (typeof fields === 'object' &&
      fields !== null &&
      'text' in fields &&
      typeof fields.text === 'string')
  )
}
