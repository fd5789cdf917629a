import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { LANGUAGE_CODES } from '#kernel/language.ts'
import { translatorOf } from '#platform/i18n/messages.ts'
import { PROJECT_ROOT } from '#platform/project.ts'
import { JOB_NAMES } from '../system/job-name.ts'
import { ACTION_NAMES, actionName, SUBJECT_NAMES, subjectName } from './names.ts'

const SOURCE = join(PROJECT_ROOT, 'src')
const sources = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => readFileSync(join(SOURCE, file), 'utf8'))
/** What writes to the trail, itself or by a helper of its own. */
const writers = sources.filter((text) => /\b(?:recordAudit|recordAct|recordLook)\(/.test(text))

const every = (texts: readonly string[], pattern: RegExp): string[] =>
  texts
    .flatMap((text) => [...text.matchAll(pattern)].flatMap(([, ...codes]) => codes))
    .filter(Boolean)

test('every action that something writes to the trail has a name', () => {
  const written = [
    ...every(writers, /\baction: '([a-z_]+)'(?! in )/g),
    ...every(writers, /\baction: [^,\n?]*\? '([a-z_]+)' : '([a-z_]+)'/g),
    // By helpers of their files, which take the action as they take the thing.
    ...every(
      sources,
      /\b(?:audit|auditAccount|auditLine|note)\(tx, ctx, [^'\n]*?(?:\? )?'([a-z_]+)'(?: : '([a-z_]+)')?/g,
    ),
    ...every(sources, /^export const (?:KEY_SEEN|BULK_ASKED|KEY_EXPORT_ASKED) = '([a-z_]+)'/gm),
    // What happens to a unit is called as its order's history has it.
    ...every(sources, /\bnoteStep\(.*\breason: '([a-z_]+)'/g),
  ]
  expect(written.length).toBeGreaterThan(100)
  expect([...new Set(written)].filter((code) => !(code in ACTION_NAMES))).toEqual([])
})

test('so has every kind of thing', () => {
  const written = every(writers, /\bsubject: '([a-z_]+)',/g)
  expect(written.length).toBeGreaterThan(100)
  expect([...new Set(written)].filter((code) => !(code in SUBJECT_NAMES))).toEqual([])
})

test('so has every job that commands leave', () => {
  const background = readFileSync(join(SOURCE, 'background.ts'), 'utf8')
  const jobs = every([background], /^ +([a-z]+(?:_[a-z]+)+): \(payload\b/gm)
  expect(jobs.length).toBeGreaterThan(3)
  expect(jobs.filter((job) => !(job in JOB_NAMES))).toEqual([])
})

test('and it is a name in each language', () => {
  for (const language of LANGUAGE_CODES) {
    const t = translatorOf(language)
    for (const key of Object.values({ ...ACTION_NAMES, ...SUBJECT_NAMES, ...JOB_NAMES }))
      expect(t(key), `${language} ${key}`).not.toBe(key)
    expect(actionName(t, 'sign_in')).not.toBe('sign_in')
    expect(subjectName(t, 'shop_order')).not.toBe('shop_order')
  }
  expect(actionName(translatorOf('de'), 'of_another_release')).toBe('of_another_release')
})
