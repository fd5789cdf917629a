/**
 * `npm run test:vnu`: the Nu Html Checker of the W3C over one page of every template, in English and Arabic, as a visitor gets it. It needs
 * Java, which root on Debian gets; the checker is fetched at the version named here. SHOP_URL names a running shop.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { installPackages, isDebianRoot } from '../../scripts/debian-packages.ts'
import startShop from '../e2e/shop.ts'
import { ROUTE_ENTRIES } from '../support/page-addresses.ts'

const CHECKER = 'vnu-jar@26.9.27'
const JAR = join('node_modules', 'vnu-jar', 'build', 'dist', 'vnu.jar')
const PREFIXES = ['', '/ar']

const report = z.object({
  messages: z.array(
    z.object({
      type: z.string(),
      url: z.string(),
      message: z.string(),
      extract: z.string().default(''),
    }),
  ),
})

process.exitCode = await run()

async function run(): Promise<number> {
  if (!isThere('java') && isDebianRoot())
    installPackages(['default-jre-headless'], 'the Nu Html Checker')
  if (!isThere('java')) return say('The Nu Html Checker needs Java, which is not on this machine.')
  const folder = mkdtempSync(join(tmpdir(), 'lukado-vnu-'))
  const stop = await startShop()
  try {
    const jar = fetchChecker(folder)
    if (jar === null) return say(`npm could not fetch ${CHECKER}.`)
    const pages = await savePages(join(folder, 'pages'))
    const faults = faultsOf(jar, join(folder, 'pages'))
    for (const fault of faults) process.stdout.write(`${fault}\n`)
    process.stdout.write(`${CHECKER}: ${pages} pages, ${faults.length} errors\n`)
    return faults.length === 0 ? 0 : 1
  } finally {
    await stop?.()
    rmSync(folder, { recursive: true, force: true })
  }
}

function fetchChecker(folder: string): string | null {
  // Its script would fetch a Java of its own.
  const args = ['install', '--prefix', folder, '--no-save', '--ignore-scripts', CHECKER]
  return spawnSync('npm', args, { stdio: 'ignore' }).status === 0 ? join(folder, JAR) : null
}

/** One address of each page, and one that names nothing. @returns how many were saved */
async function savePages(folder: string): Promise<number> {
  mkdirSync(folder)
  const first = new Map<string, string>()
  for (const { page, visitor } of ROUTE_ENTRIES)
    if (visitor[0] !== undefined && !first.has(page)) first.set(page, visitor[0])
  first.set('not-found', '/no-such-page')
  for (const [page, path] of first)
    for (const prefix of PREFIXES) {
      const answer = await fetch(`${process.env.SHOP_URL}${prefix}${path}`)
      writeFileSync(join(folder, `${page}${prefix.replace('/', '.')}.html`), await answer.text())
    }
  return first.size * PREFIXES.length
}

/** Errors alone: its warnings are advice, and its notes are on slashes that React writes. */
function faultsOf(jar: string, folder: string): string[] {
  const args = ['-Xss2m', '-jar', jar, '--format', 'json', '--stdout', '--exit-zero-always', folder]
  const { stdout, stderr } = spawnSync('java', args, {
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  })
  if (stdout === '') return [`the checker said nothing: ${stderr}`]
  return report
    .parse(JSON.parse(stdout))
    .messages.filter(({ type }) => type !== 'info')
    .map(({ url, message, extract }) => `${url.split('/').at(-1)}: ${message} ${extract}`)
}

function isThere(program: string): boolean {
  return !spawnSync(program, ['-version'], { stdio: 'ignore' }).error
}

function say(text: string): 1 {
  process.stdout.write(`${text}\n`)
  return 1
}
