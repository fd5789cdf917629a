import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { MAIL_KINDS } from '#features/people/mail/rules.ts'
import { LANGUAGE_CODES } from '#kernel/language.ts'
import { translatorOf } from '#platform/i18n/messages.ts'
import { PROJECT_ROOT } from '#platform/project.ts'
import { checkAdvice, checkName } from './check-name.ts'
import { mailName } from './job-name.ts'

const doctor = readFileSync(join(PROJECT_ROOT, 'src', 'cli', 'doctor.ts'), 'utf8')
const looked = [...doctor.matchAll(/\bfinding\('([a-z -]+)'/g)].map(([, subject]) =>
  String(subject),
)

test('what doctor looks at has a name, and what to do first, in each language', () => {
  expect(looked.length).toBeGreaterThan(15)
  const english = translatorOf('en')
  for (const language of LANGUAGE_CODES) {
    const t = translatorOf(language)
    for (const subject of looked) {
      expect(checkName(t, subject), `${language} ${subject}`).not.toBe(subject)
      const advice = checkAdvice(t, subject)
      expect(advice, `${language} ${subject}`).not.toBeNull()
      if (language !== 'en') expect(advice).not.toBe(checkAdvice(english, subject))
    }
  }
  expect(checkAdvice(english, 'of another release')).toBeNull()
})

test('a mail is called by what its reader reads first, in the operator’s language', () => {
  for (const language of LANGUAGE_CODES)
    for (const kind of MAIL_KINDS)
      expect(mailName(translatorOf(language), kind, 'Shop')).toMatch(/^\S.{3,} \([a-z_]+\)$/u)
  expect(mailName(translatorOf('de'), 'of_another_release', 'Shop')).toBe('of_another_release')
})
