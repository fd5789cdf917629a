import { join } from 'node:path'
import { expect, test } from 'vitest'
import { problemsOf, sourcesOf } from './asvs.ts'

const FILES: Readonly<Record<string, string>> = {
  'a.test.ts': `// another
    test('an owner\\'s key opens', () => expect('a value').toBe('a value'))
    test.skip('later', () => {})
    test.each([[1, (2)]])('each %s', () => {})`,
  'docs/security/design.md': '# Design\n## Who may do what\n',
  'docs/decisions/001-x.md': '# 001',
}
const row = (...cells: readonly string[]) => `| ${cells.join(' | ')} |`
const GOOD = [
  row('1.1.1', '1', 'keys open', 'met', '', "`a.test.ts` · an owner's key opens"),
  row('1.1.2', '2', 'written down', 'met', '', '[design.md](design.md#who-may-do-what)'),
  row('1.1.3', '2', 'more', 'not met', 'why: [001](../decisions/001-x.md)', ''),
  row('1.2.1, 1.2.2', 'there is none'),
]
const check = (rows: readonly string[]) =>
  problemsOf({
    levels: { '1.1.1': 1, '1.1.2': 2, '1.1.3': 2, '1.2.1': 1, '1.2.2': 2 },
    table: rows.join('\n'),
    place: 'docs/security/asvs.md',
    read: (path) => FILES[path] ?? null,
  })

test('a table with a row for every requirement has no problems', () => {
  expect(check(GOOD)).toEqual([])
})

test('what is missing, twice there, or no requirement is told', () => {
  expect(check(GOOD.slice(1))).toEqual(['1.1.1 is not in the table'])
  expect(check([...GOOD, GOOD[0] ?? ''])).toEqual(['1.1.1 stands in the table twice'])
  expect(check([...GOOD, row('9.9.9', 'there is none')])).toEqual(['9.9.9 is no requirement'])
})

test('a proof that is not there, and a status without a reason, are told', () => {
  const instead = (...cells: readonly string[]) => check([row(...cells), ...GOOD.slice(1)])
  expect(instead('1.1.1', '1', 'x', 'met', '', '`a.test.ts` · another')).toHaveLength(1)
  expect(instead('1.1.1', '1', 'x', 'met', '', '`b.test.ts` · another')).toHaveLength(1)
  for (const none of ['an owner', 'a value', 'later'])
    expect(instead('1.1.1', '1', 'x', 'met', '', `\`a.test.ts\` · ${none}`)).toHaveLength(1)
  expect(instead('1.1.1', '1', 'x', 'met', '', '`a.test.ts` · each %s')).toEqual([])
  expect(instead('1.1.1', '1', 'x', 'met', '', '[design.md](design.md#none)')).toHaveLength(1)
  expect(instead('1.1.1', '1', 'x', 'met', 'somehow', '')).toHaveLength(1)
  expect(instead('1.1.1', '1', 'x', 'nearly', 'somehow', '')).toHaveLength(1)
  expect(instead('1.1.1', '2', 'x', 'met, no test', 'somehow', '')).toHaveLength(1)
  expect(instead('1.1.1', '1', 'x', 'not met', 'because', '')).toHaveLength(1)
  expect(instead('1.1.1', '1', 'x', 'not met', '[gone](../decisions/9.md)', '')).toHaveLength(1)
})

test('the table of the shop names every requirement of levels 1 and 2, and proofs that are there', () => {
  const sources = sourcesOf(join(import.meta.dirname, '..'))
  expect(Object.keys(sources.levels)).toHaveLength(253)
  expect(problemsOf(sources)).toEqual([])
})
