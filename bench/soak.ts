/**
 * `npm run bench:soak -- --minutes 60`: a demo shop as `start` runs it, visited, searched, signed in to, sent pictures and attacked for so
 * long, while its processes' memory is written down twice a minute. The web process's must be flat after ten minutes and stay below 450 MB. A soak
 * whose searches find nothing, or whose forms nobody reads, has measured something else and fails.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import sharp from 'sharp'
import { readDemoPeople } from '#cli/demo-people-file.ts'
import { present } from '#kernel/assert.ts'
import { LANGUAGES } from '#kernel/language.ts'
import { inheritedEnvironment } from '#platform/child-environment.ts'
import { freePort } from '#platform/free-port.ts'
import { PROJECT_ROOT } from '#platform/project.ts'
import { writeSoak } from './document.ts'
import { memoryOf } from './process-figures.ts'
import { stop, waitFor } from './processes.ts'
import { grid, machine } from './report.ts'
import { SEARCH_WORDS } from './search-words.ts'
import { removeDataFolder } from '../test/support/data-folder.ts'

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    write: { type: 'boolean', default: false },
  },
})
const MINUTES = Number(options.minutes)
/** What is done in an hour. */
const RATES = {
  visits: 18_000,
  searches: 9_000,
  pictures: 6_000,
  'sign-ins': 10_000,
  uploads: 1_000,
  'hostile bodies': 2_000,
}
/** The minutes that the last third is compared with. */
const SETTLED = { from: 10, to: 15 }
const FLAT_MB = 40
const MOST_MB = 450
const PROCESSES = ['web', 'worker', 'pictures', 'vault'] as const

type Work = keyof typeof RATES
type Sample = Readonly<Record<(typeof PROCESSES)[number], number>> & { readonly minute: number }

const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'
const MEGABYTE = 1024 * 1024
const HOSTILE: readonly {
  readonly path: string
  readonly type: string
  readonly body: () => string
}[] = [
  { path: '/api/user/login', type: FORM_TYPE, body: () => 'a&'.repeat(32_000) },
  { path: '/api/user/login', type: FORM_TYPE, body: () => 'a=1&'.repeat(2 * MEGABYTE) },
  { path: '/api/user/login', type: JSON_TYPE, body: () => '['.repeat(60_000) },
  { path: '/api/cart/add', type: JSON_TYPE, body: () => `{"item":"${'\\ud800'.repeat(9_000)}"}` },
  {
    path: '/api/upload/image',
    type: 'multipart/form-data; boundary=x',
    body: () =>
      `--x\r\ncontent-disposition: form-data; name="image"; filename="a"\r\n\r\n${'%'.repeat(5 * MEGABYTE)}\r\n--x--\r\n`,
  },
  { path: '/login', type: FORM_TYPE, body: () => '%'.repeat(64_000) },
]

const folder = mkdtempSync(join(tmpdir(), 'lukado-soak-'))
const port = await freePort()
const shop = `http://127.0.0.1:${port}`
const child = spawn(process.execPath, [join(PROJECT_ROOT, 'src', 'cli.ts'), 'start'], {
  cwd: PROJECT_ROOT,
  stdio: ['ignore', 'ignore', 'inherit'],
  env: {
    ...inheritedEnvironment(),
    PORT: String(port),
    DATA_DIR: folder,
    DEMO: '1',
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'error',
  },
})
const done: Record<Work, number> = {
  visits: 0,
  searches: 0,
  pictures: 0,
  'sign-ins': 0,
  uploads: 0,
  'hostile bodies': 0,
}
const failed = new Map<string, number>()
/** Searches that found something. */
let found = 0
/** The most that one of them found, and what a search that is not understood finds: everything. */
const sizes = { all: 0, most: 0 }
try {
  await waitFor(`${shop}/readyz`, child, 300_000)
  const samples = await soak()
  const sentences = judge(samples)
  process.stdout.write(`${reportOf(samples, sentences)}\n`)
  if (options.write) writeSoak(reportOf(samples, sentences))
  if (sentences.some((sentence) => sentence.startsWith('FAILED'))) process.exitCode = 1
} finally {
  await stop(child)
  removeDataFolder(folder)
}

async function soak(): Promise<Sample[]> {
  const addresses = await addressesOf()
  const pictures = await picturesOf(addresses)
  let cookie = await signIn()
  const photograph = await sharp({
    create: {
      width: 2_000,
      height: 1_500,
      channels: 3,
      background: '#345',
      noise: { type: 'gaussian', mean: 128, sigma: 30 },
    },
  })
    .jpeg()
    .toBuffer()
  const files = [photograph, photograph, photograph.subarray(0, 9_000)]
  let turn = 0
  const any = <Item>(list: readonly Item[]): Item =>
    present(list[(turn += 7_919) % list.length], 'item')
  const works: Readonly<Record<Work, () => Promise<unknown>>> = {
    visits: () => get(any(addresses)),
    searches: () => search(any(SEARCH_WORDS), turn),
    pictures: () =>
      get(`${any(pictures)}?w=${any([120, 240, 360, 480])}&q=${any([60, 65, 70, 75, 80, 85, 90])}`),
    'sign-ins': async () => (cookie = await signIn()),
    uploads: () => upload(cookie, any(files)),
    'hostile bodies': () => attack(any(HOSTILE), cookie),
  }
  const began = performance.now()
  const elapsed = () => performance.now() - began
  const loops = (Object.keys(works) as Work[]).map(async (name) => {
    while (elapsed() < MINUTES * 60_000) {
      // Whatever is late is caught up, one at a time.
      if (done[name] > (elapsed() * RATES[name]) / 3_600_000) await sleep(20)
      else
        await Promise.resolve()
          .then(works[name])
          .catch((error: unknown) => note(name, error))
          .finally(() => (done[name] += 1))
    }
  })
  const samples: Sample[] = []
  while (elapsed() < MINUTES * 60_000) {
    samples.push(sampleAt(elapsed() / 60_000))
    await sleep(30_000)
  }
  await Promise.all(loops)
  return [...samples, sampleAt(elapsed() / 60_000)]
}

/** Pages of every language, from the sitemap. */
async function addressesOf(): Promise<string[]> {
  const files = LANGUAGES.map(({ code }) => get(`/sitemap-${code}-1.xml`))
  return (await Promise.all(files)).flatMap((xml) =>
    [...xml.matchAll(/<loc>([^<]+)<\/loc>/g)].map((match) => new URL(match[1] ?? '').pathname),
  )
}

async function picturesOf(addresses: readonly string[]): Promise<string[]> {
  const pages = await Promise.all(
    addresses
      .filter((_, index) => index % 97 === 0)
      .slice(0, 60)
      .map((address) => get(address)),
  )
  const found = pages.flatMap(
    (page) => page.match(/\/img\/[a-z0-9_]+\/[A-Za-z0-9/-]+\.[a-z]+/g) ?? [],
  )
  return [...new Set(found)]
}

async function get(target: string): Promise<string> {
  const answer = await fetch(shop + target, { headers: { accept: 'text/html,image/webp' } })
  const body = await answer.text()
  if (answer.status !== 200) throw new Error(`${answer.status}`)
  return body
}

/** A search that was not made before, as what was found once is kept: signs that no goods have tell it from the others. */
async function search({ q, lang }: (typeof SEARCH_WORDS)[number], turn: number): Promise<void> {
  sizes.all ||= await totalOf('/api/goods/search?lang=en')
  const signs = [...turn.toString(3)].map((digit) => '~*^'[Number(digit)]).join('')
  const total = await totalOf(
    `/api/goods/search?lang=${lang}&keywords=${encodeURIComponent(`${q} ${signs}`)}`,
  )
  found += total > 0 ? 1 : 0
  sizes.most = Math.max(sizes.most, total)
}

async function totalOf(target: string): Promise<number> {
  const { code, data } = JSON.parse(await get(target)) as {
    code: number
    data: readonly { count: number }[]
  }
  if (code !== 1) throw new Error(`code ${code}`)
  return data.reduce((sum, { count }) => sum + count, 0)
}

async function signIn(): Promise<string> {
  const { shopper } = present(readDemoPeople(folder), 'demo people')
  const answer = await fetch(`${shop}/api/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ account: shopper.email, password: shopper.password }),
  })
  const { code } = (await answer.json()) as { code: number }
  if (code !== 1) throw new Error(`code ${code}`)
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ')
}

/** Whole and broken pictures; what is answered to a broken one is no fault. */
async function upload(cookie: string, file: Buffer): Promise<void> {
  const form = new FormData()
  form.set('purpose', 'avatar')
  form.set('image', new Blob([new Uint8Array(file)], { type: 'image/jpeg' }), 'photograph.jpg')
  const answer = await fetch(`${shop}/api/upload/image`, {
    method: 'POST',
    headers: { cookie },
    body: form,
  })
  const { code } = (await answer.json()) as { code: number }
  if (code !== 1 && code !== 2415) throw new Error(`code ${code}`)
}

/** Refused in any way, even by a closed connection; a fault of the shop counts, and an address that takes no posts, which reads none. */
async function attack(
  { path, type, body }: (typeof HOSTILE)[number],
  cookie: string,
): Promise<void> {
  const status = await fetch(shop + path, {
    method: 'POST',
    headers: { cookie, 'content-type': type },
    body: body(),
  }).then(
    async (answer) => {
      await answer.arrayBuffer()
      return answer.status
    },
    () => 0,
  )
  if (status >= 500 || status === 404 || status === 405) throw new Error(`${path} ${status}`)
}

function note(name: Work, error: unknown): void {
  const key = `${name}: ${String(error)}`
  failed.set(key, (failed.get(key) ?? 0) + 1)
}

function sampleAt(minute: number): Sample {
  const figures = PROCESSES.map((name) => {
    const pid = Number(readFileSync(join(folder, 'run', `${name}.pid`), 'utf8'))
    return [name, Math.round(memoryOf(pid).residentMb)] as const
  })
  return { minute, ...(Object.fromEntries(figures) as Omit<Sample, 'minute'>) }
}

/** What the figures say, one sentence each; those not met begin with FAILED. */
function judge(samples: readonly Sample[]): string[] {
  const most = Math.max(...samples.map(({ web }) => web))
  return [
    said(most <= MOST_MB, `The web process held at most ${most} MB (to reach: ${MOST_MB}).`),
    judgeFlatness(samples),
    // The mix holds words with typing errors, and some in scripts that few goods have.
    said(
      found > done.searches / 2 && sizes.most < sizes.all,
      `Of ${done.searches} searches ${found} found something (to reach: more than half), none of them all ${sizes.all} goods.`,
    ),
    ...[...failed].map(([what, count]) => `FAILED: ${count} times ${what}.`),
  ]
}

function said(isMet: boolean, sentence: string): string {
  return isMet ? sentence : `FAILED: ${sentence}`
}

function middle(part: readonly Sample[]): number {
  return part.map(({ web }) => web).toSorted((a, b) => a - b)[Math.floor(part.length / 2)] ?? 0
}

/** The last third against the minutes right after the tenth, so that what grows slowly is seen, and how fast it grows. */
function judgeFlatness(samples: readonly Sample[]): string {
  const { from, to } = SETTLED
  if (MINUTES < to * 2) return `Too short to see whether it is flat: that takes ${to * 2} minutes.`
  const after = samples.filter(({ minute }) => minute >= from)
  const before = middle(after.filter(({ minute }) => minute < to))
  const last = middle(samples.filter(({ minute }) => minute >= (MINUTES * 2) / 3))
  return said(
    last - before <= FLAT_MB,
    `In the last third the median is ${last} MB, ${last - before} MB from the ${before} MB of minutes ${from} to ${to} (to reach: at most ${FLAT_MB}); a straight line through all after minute ${from} rises by ${slopeOf(after).toFixed(2)} MB a minute.`,
  )
}

/** Of the line of least squares, in MB a minute. */
function slopeOf(samples: readonly Sample[]): number {
  const mean = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + value, 0) / values.length
  const minute = mean(samples.map((sample) => sample.minute))
  const web = mean(samples.map((sample) => sample.web))
  const over = samples.reduce((sum, one) => sum + (one.minute - minute) * (one.web - web), 0)
  return over / samples.reduce((sum, one) => sum + (one.minute - minute) ** 2, 0)
}

function reportOf(samples: readonly Sample[], sentences: readonly string[]): string {
  const shown = samples.filter((_, index) => index % 4 === 0 || index === samples.length - 1)
  const rows = shown.map((sample) => [
    sample.minute.toFixed(1),
    ...PROCESSES.map((name) => String(sample[name])),
  ])
  const counts = (Object.keys(done) as Work[]).map((name) => `${done[name]} ${name}`).join(', ')
  return `\`npm run bench:soak -- --minutes ${MINUTES}\` on ${machine()}: ${counts}.

${grid(['minute', ...PROCESSES.map((name) => `${name}, MB`)], rows)}

${sentences.map((sentence) => `- ${sentence}`).join('\n')}`
}
