import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { secret } from '#platform/secret.ts'
import { openScreeningSandbox } from '#sandbox/screening/service.ts'
import { offeredScreening } from '../offered.ts'
import { openYente, type YenteOptions } from './yente.ts'

const KEY = 'a-key-of-tests'
let child: ChildProcess
let origin: string

/** A process of its own, spoken to over its socket. */
beforeAll(async () => {
  child = spawn(process.execPath, [join(process.cwd(), 'src/sandbox/screening/main.ts')], {
    env: { PATH: process.env['PATH'], PORT: '0', YENTE_API_KEY: KEY },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(createInterface({ input: child.stdout! }), 'line')) as [string]
  origin = line
})
afterAll(() => child.kill())

const open = (more: Partial<YenteOptions> = {}) =>
  openYente({
    url: origin,
    isInside: true,
    apiKey: secret(KEY),
    dataset: 'sanctions',
    threshold: '0.7',
    ...more,
  })
const person = (...names: string[]) => ({ names, email: 'ann@example.com', countries: ['DE'] })

test('who is on no list is clear, and who is found is named by the entry', async () => {
  expect(await open().screen('r1', person('Ann Miller'))).toEqual({ kind: 'clear' })
  expect(await open().screen('r2', person('Ann Miller', 'Somebody Listed'))).toEqual({
    kind: 'match',
    entries: ['NK-sandbox-1 0.97'],
  })
})

test('what scores below the threshold is nobody', async () => {
  expect(await open().screen('r3', person('Ann Alike'))).toEqual({ kind: 'clear' })
  expect((await open({ threshold: '0.3' }).screen('r4', person('Ann Alike'))).kind).toBe('match')
})

test.each([
  ['a fault', 'Ann Fault'],
  ['garbage', 'Ann Garbage'],
  ['an answer about somebody else', 'Ann Other'],
])('%s is no answer, and tells nothing of the person', async (_what, name) => {
  const answer = await open().screen('r5', person(name))
  expect(answer.kind).toBe('unknown')
  expect(JSON.stringify(answer)).not.toContain('Ann')
})

test('a wrong key, a service that is not there, and nobody’s name are no answer', async () => {
  for (const provider of [
    open({ apiKey: secret('another-key') }),
    open({ apiKey: null }),
    open({ url: 'http://127.0.0.1:9' }),
  ])
    expect((await provider.screen('r6', person('Ann Miller'))).kind).toBe('unknown')
  expect((await open().screen('r7', person())).kind).toBe('unknown')
})

test('an address inside is called only where the operator says that it stands there', async () => {
  expect(await open({ isInside: false }).screen('r8', person('Ann Miller'))).toEqual({
    kind: 'unknown',
    why: 'the address leads inside',
  })
})

test('it is asked under our reference, as its settings say', async () => {
  const sandbox = await openScreeningSandbox({ port: 0, apiKey: null, slowMs: 0 })
  try {
    const provider = await offeredScreening({
      yente: { YENTE_URL: secret(`${sandbox.origin}/`), YENTE_NETWORK: secret('inside') },
    })
    expect(await provider?.screen('ours-1', person('Ann Slow'))).toEqual({ kind: 'clear' })
    expect(sandbox.asked).toEqual([{ dataset: 'sanctions', reference: 'ours-1' }])
    sandbox.fail(/POST/, 'lost_answer')
    expect((await provider?.screen('ours-2', person('Ann Miller')))?.kind).toBe('unknown')
    expect(await offeredScreening({})).toBeNull()
  } finally {
    sandbox.close()
  }
})
