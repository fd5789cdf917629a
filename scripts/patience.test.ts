import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const WAIT = /\bvi\.wait(?:For|Until)\(/g
/** Of its own, in milliseconds, or by a name that stands for one. */
const BOUND = /\btimeout: (?<own>[\d_]+)[^()]*\)$|,\s+[a-zA-Z_]+,?\s*\)$/
const LEAST_MS = 60_000

test('every wait for something is patient: a busy machine is late, not wrong', () => {
  const hasty = ['src', 'test'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts'))
      .flatMap((name) => {
        const text = readFileSync(join(ROOT, folder, name), 'utf8')
        return [...text.matchAll(WAIT)]
          .map(({ index }) => callAt(text, index))
          .filter((call) => !isPatient(call))
          .map((call) => `${folder}/${name}: ${call.slice(0, 60)}`)
      }),
  )
  expect(hasty).toEqual([])
})

/** A bound on looking again, in milliseconds. */
const POLL = /\bexpect\s*\.poll\([^;]{0,400}?timeout: (?<own>[\d_]+)/g

/** A deadline of its own, and a bound on how long something took. */
const DEADLINE = /\bperformance\.now\(\) \+ (?<own>[\d_]+)/g
const BOUND_ON_TIME =
  /\bexpect\((?:(?:performance|Date)\.now\(\) - \w+|\w*(?:took|elapsed|lasted)\w*)\)\.toBeLess\w+\((?<own>[\d_]+)\)/gi

test('no test says how fast a machine must be', () => {
  const hasty = ['src', 'test', 'scripts'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter(
        (name) =>
          /\.(?:test|spec)\.tsx?$/.test(name) || (folder === 'test' && name.endsWith('.ts')),
      )
      .flatMap((name) => {
        const text = readFileSync(join(ROOT, folder, name), 'utf8')
        return [DEADLINE, BOUND_ON_TIME, POLL]
          .flatMap((pattern) => [...text.matchAll(pattern)])
          .filter(({ groups }) => Number((groups?.['own'] ?? '').replaceAll('_', '')) < LEAST_MS)
          .map(([found]) => `${folder}/${name}: ${found}`)
      }),
  )
  expect(hasty).toEqual([])
})

/** So many looks, so many milliseconds apart, for something that is to come. */
const LOOKS =
  /\bfor \(let (?:tries|look|left) = 0; \w+ < (?<looks>[\d_]+)[^{]{0,80}?await (?:sleep\(|new Promise\(\(resolve\) => setTimeout\(resolve, )(?<apart>[\d_]+)/g

test('who looks again and again looks for a minute', () => {
  const hasty = ['src', 'test'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:test|spec)\.tsx?$/.test(name))
      .flatMap((name) =>
        [...readFileSync(join(ROOT, folder, name), 'utf8').matchAll(LOOKS)]
          .filter(({ groups }) => {
            const [looks, apart] = [groups?.['looks'], groups?.['apart']].map((number) =>
              Number((number ?? '').replaceAll('_', '')),
            )
            return (looks ?? 0) * (apart ?? 0) < LEAST_MS
          })
          .map(([found]) => `${folder}/${name}: ${found}`),
      ),
  )
  expect(hasty).toEqual([])
})

function isPatient(call: string): boolean {
  const bound = BOUND.exec(call)
  return (
    bound !== null &&
    (bound.groups?.['own'] === undefined ||
      Number(bound.groups['own'].replaceAll('_', '')) >= LEAST_MS)
  )
}

/** From the name to the closing bracket. */
function callAt(text: string, start: number): string {
  let depth = 0
  for (let at = text.indexOf('(', start); at < text.length; at += 1) {
    if ('([{'.includes(text[at] as string)) depth += 1
    if (')]}'.includes(text[at] as string) && (depth -= 1) === 0) return text.slice(start, at + 1)
  }
  return text.slice(start)
}
