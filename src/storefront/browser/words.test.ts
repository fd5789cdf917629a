import type { CompiledMessage } from '@lingui/message-utils/compileMessage'
import { expect, test } from 'vitest'
import { LANGUAGES } from '#kernel/language.ts'
import type { MessageKey } from '#platform/i18n/keys.ts'
import { compiledMessages, translatorOf } from '#platform/i18n/messages.ts'
import { createWords } from './words.ts'

const COUNTS = [0, 1, 2, 3, 5, 11, 21, 100, 1_234_567, 2.5]

test('the browser writes every text in every language as the server does', () => {
  const differing: string[] = []
  let written = 0
  for (const { code, prefix, dir, intl } of LANGUAGES) {
    const words = { ...compiledMessages('en'), ...compiledMessages(code) }
    const { t } = createWords({ language: { code, prefix, dir, intl }, words })
    const onServer = translatorOf(code)
    for (const [key, message] of Object.entries(words) as [MessageKey, CompiledMessage][])
      for (const values of valuesFor(message)) {
        written += 1
        if (t(key, values) !== onServer(key, values))
          differing.push(`${code} ${key} ${JSON.stringify(values)}: ${t(key, values)}`)
      }
  }
  expect(differing).toEqual([])
  expect(written).toBeGreaterThan(20_000)
})

test('a text that is not there is its key', () => {
  const language = { code: 'en', prefix: '', dir: 'ltr', intl: 'en' } as const
  expect(createWords({ language, words: {} }).t('shell.cart')).toBe('shell.cart')
})

/** For each thing that a message asks for: counts of every form, each of its choices and one it does not know, else a name. */
function valuesFor(message: CompiledMessage): Record<string, string | number>[] {
  const wanted = new Map<string, readonly (string | number)[]>()
  collect(message, wanted)
  const rounds = Math.max(1, ...[...wanted.values()].map((values) => values.length))
  return Array.from({ length: rounds }, (_, round) =>
    Object.fromEntries(
      [...wanted].map(([name, values]) => [name, values[round % values.length] ?? 0]),
    ),
  )
}

function collect(
  message: CompiledMessage,
  wanted: Map<string, readonly (string | number)[]>,
): void {
  if (typeof message === 'string') return
  for (const part of message) {
    if (typeof part === 'string') continue
    const [name, kind, forms] = part
    if (kind === 'select') wanted.set(name, [...Object.keys(forms as object), 'toString'])
    else if (kind) wanted.set(name, COUNTS)
    else if (!wanted.has(name)) wanted.set(name, ['Ana', '<b>#</b>'])
    if (typeof forms === 'object' && forms !== null)
      for (const form of Object.values(forms))
        if (Array.isArray(form)) collect(form as CompiledMessage, wanted)
  }
}
