import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PROJECT_ROOT } from '#platform/project.ts'
import { REFUSALS } from './envelope.ts'

/** Both are HTTP 409, which docs/api.md tells of in one line: a key that stands for something else, or is being used right now. */
const ONE_CODE = ['conflict', 'still_running']

test('no code has two reasons, so that a program knows what to do by the code alone', () => {
  const reasons = Object.groupBy(Object.entries(REFUSALS), ([, { code }]) => code)
  const shared = Object.values(reasons)
    .map((entries = []) => entries.map(([reason]) => reason))
    .filter(({ length }) => length > 1)
  expect(shared).toEqual([ONE_CODE])
})

test('each refusal of business is in the published table, and within its range', () => {
  const text = readFileSync(join(PROJECT_ROOT, 'docs', 'api.md'), 'utf8')
  const [, first, last] = /\| 200 \| (\d+) … (\d+) \|/.exec(text) ?? []
  const codes = Object.values(REFUSALS)
    .filter(({ status }) => status === 200)
    .map(({ code }) => code)
  expect([Math.min(...codes), Math.max(...codes)]).toEqual([Number(first), Number(last)])
  const ranges = [...text.matchAll(/(\d{4})–(\d{4}) each/g)]
  const isDeclared = (code: number) =>
    new RegExp(`\\s${code}\\s`).test(text) ||
    ranges.some(([, from, to]) => code >= Number(from) && code <= Number(to))
  expect(codes.filter((code) => !isDeclared(code))).toEqual([])
})
