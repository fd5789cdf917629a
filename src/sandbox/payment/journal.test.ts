import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openJournal } from './journal.ts'

const folder = mkdtempSync(join(tmpdir(), 'lukado-journal-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('lines torn by a crash or a full disk are left out, wherever they stand, and later ones are whole', async () => {
  const file = join(folder, 'torn.ndjson')
  writeFileSync(file, '{"id":1}\n{"id":2,"na{"id":3}\n{"id":4}\n{"id":5,"am')
  const first = openJournal(file)
  expect([...first.read()]).toEqual([{ id: 1 }, { id: 4 }])
  await first.append({ id: 6 })
  await first.close()
  appendFileSync(file, '{"id":7')
  const second = openJournal(file)
  await second.append({ id: 8 })
  await second.append({ id: 9 })
  expect([...second.read()]).toEqual([{ id: 1 }, { id: 4 }, { id: 6 }, { id: 8 }, { id: 9 }])
  await second.close()
})

test('a file that was made anew holds nothing of the torn one', async () => {
  const file = join(folder, 'anew.ndjson')
  writeFileSync(file, '{"id":1')
  const journal = openJournal(file)
  journal.rewrite([...journal.read(), { id: 2 }])
  await journal.append({ id: 3 })
  await journal.close()
  expect(readFileSync(file, 'utf8')).toBe('{"id":2}\n{"id":3}\n')
})

/** Appends until the file may not grow, and one more when told that it may. */
const FILLING = `
const { openJournal } = await import(${JSON.stringify(join(import.meta.dirname, 'journal.ts'))})
const journal = openJournal(process.argv[1])
let id = 0
for (let isFull = false; !isFull; ) await journal.append({ id: ++id, text: 'x'.repeat(300) }).catch(() => { isFull = true })
process.once('message', async () => {
  await journal.append({ id: ++id })
  await journal.close()
  process.exit()
})
process.send(id)`

test.runIf(spawnSync('prlimit', ['--version']).status === 0)(
  'what a full disk did not take is written once there is room',
  async () => {
    const file = join(folder, 'full.ndjson')
    const limited = ['-c', 'ulimit -S -f 2; exec "$@"', 'sh', process.execPath]
    const child = spawn('sh', [...limited, '--input-type=module', '--eval', FILLING, file], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    const [last] = (await once(child, 'message')) as [number]
    expect(spawnSync('prlimit', ['--pid', String(child.pid), '--fsize=unlimited']).status).toBe(0)
    child.send('there is room')
    await once(child, 'exit')
    const kept = [...openJournal(file).read()] as { readonly id: number }[]
    expect(new Set(kept.map(({ id }) => id))).toEqual(
      new Set(Array.from({ length: last + 1 }, (_, index) => index + 1)),
    )
  },
)
