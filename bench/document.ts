import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT_ROOT } from '#platform/project.ts'
import { table, type Row } from './report.ts'

export interface Outcome {
  readonly command: string
  /** Machine and what else it did. */
  readonly circumstances: string
  readonly minutes: number
  readonly rows: readonly Row[]
  readonly notes: readonly string[]
  readonly missedWords: readonly string[]
  /** A finished table and its notes; absent when growth was not measured. */
  readonly growth?: { readonly table: string; readonly notes: readonly string[] }
}

const FILE = join(PROJECT_ROOT, 'docs', 'benchmark.md')

/** Replaces in docs/benchmark.md what this run found; what others measured (growth, the soak, what follows the method) stays. */
export function writeDocument(outcome: Outcome): void {
  const date = new Date().toISOString().slice(0, 10)
  const growth = outcome.growth
    ? `From the run of ${date}.\n\n${outcome.growth.table}\n\n${list(outcome.growth.notes)}`
    : earlierGrowth()
  writeFileSync(FILE, documentOf(outcome, date, growth))
}

/** Replaces the section about memory alone. */
export function writeSoak(report: string): void {
  const date = new Date().toISOString().slice(0, 10)
  const text = readFileSync(FILE, 'utf8')
  writeFileSync(
    FILE,
    text.replace(SOAK, () => `## Soak\n\nFrom the run of ${date}.\n\n${report}\n\n## `),
  )
}

const SOAK = /^## Soak\n\n(?:(?!^## )[^])*^## /m

function earlierSoak(): string {
  const section = SOAK.exec(readFileSync(FILE, 'utf8'))?.[0]
  return section?.slice('## Soak\n\n'.length, -'## '.length).trimEnd() ?? NO_SOAK
}

const NO_SOAK = 'Not measured yet; `npm run bench:soak -- --write` does.'

function earlierGrowth(): string {
  const section = /^## Growth\n\n((?:(?!^## )[^])*\|(?:(?!^## )[^])*)^## /m.exec(
    readFileSync(FILE, 'utf8'),
  )?.[1]
  return section?.trimEnd() ?? 'Not measured yet; `npm run bench -- --growth` does.'
}

function documentOf(
  { command, circumstances, minutes, rows, notes, missedWords }: Outcome,
  date: string,
  growth: string,
): string {
  const misses = rows.filter((row) => row.isMet === false)
  return `# Benchmark

Written by \`${command}\` on ${date}, in ${minutes.toFixed(1)} minutes. Machine: ${circumstances}.
${HOW}

## Figures

${table(rows)}

${misses.length === 0 ? 'Everything to be reached was reached in this run.' : `Missed in this run: ${misses.map((row) => `${row.what} (${row.measured}, to reach ${row.target})`).join('; ')}.`}

${list(notes)}
${missedWords.length === 0 ? '' : `\nWords of the mix whose expected brand is not among the first five:\n\n${list(missedWords)}\n`}
## Growth

${growth}

## Soak

${earlierSoak()}

## How it is measured

${METHOD}
${sectionsAfterMethod()}`
}

/** Written by hand: what other commands measure. */
function sectionsAfterMethod(): string {
  const rest = /^## How it is measured\n(?:(?!^## )[^])*(^## [^]*)$/m.exec(
    readFileSync(FILE, 'utf8'),
  )
  return rest ? `\n${rest[1]}` : ''
}

function list(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join('\n')
}

const HOW =
  '`npm run bench` measures, `-- --growth` adds larger catalogues, `-- --write` replaces this page.'

const METHOD = `- One web process, as \`npm start\` runs it, on its own embedded PostgreSQL with the demo catalogue. Request limits are off, because all load
  comes from one address.
- "Raw" is a process with \`node:http\` alone that answers the same headers and bytes, recorded from the shop, whatever is asked. Ours and
  the raw server are measured by turns, the order changing each round, one idle while the other works; figures are medians over the rounds,
  ratios are taken within a round.
- The load comes from 32 connections of a small client of our own over plain sockets (bench/load/client.ts): each sends its next request
  when the last answer is complete, and reads of an answer only status and length. Client and server share the machine's cores. Where a
  server used clearly less than one core, the client was the bottleneck and the ratio of throughputs flatters; the ratio of processor time
  for a request, told beside it, does not depend on the client.
- p99 is of the whole exchange at full load, so it holds 31 other requests' turns in the queue.
- "Made anew" means that no kept answer is used: the requests go through every currency, so that none comes again before it has been
  pushed out. "Kept" answers are asked again.
- Sign-ins go over HTTP to \`user/login\` with the right password, of 64 shoppers by turns, eight at a time; what they are compared with is hashing
  alone in another process, with the shop's own limit on how many hashes are made at the same time.
- The visits beside sign-ins come at a steady rate, whatever the server does, and their times count from the moment they were due, so that a
  pause of the server is charged for every visit that falls into it. With sign-ins, without and raw are measured by turns.
- A whole purchase goes over HTTP: into the cart, an order of the cart, the payment begun, approved at the demo's payment service, and the
  key in the shopper's list. One web and one worker process, the payment service and the demo's mail server, which takes a mail for each
  order, are processes of their own; shoppers, who are signed in before, and everything else share the machine. The key is there by the
  payment service's notice: nobody asks it meanwhile, as the page that payers come back to would. Shoppers are told by a look into the
  database when to ask for the key, so that waiting costs the shop nothing. Purchases and single-row updates run by turns, each with 16
  at a time; then half as many purchases a second begin when they are due, while visitors come at a steady rate. "From the notice" counts
  from the payment service's answer to the approval, when its notice leaves, until the shop has answered with the key. In the end every
  order is looked at: completed, one key, the payment, its settlement and the delivery booked once and to the last unit.
- The cold render is measured inside one process, bundled as the server is, in processor time of the server's thread for everything from the
  address to the finished answer, less what the compression of the same pages costs that thread (told apart), against \`renderToString\` of the same tree,
  rebuilt from the data the document carries. What a snapshot makes once (orders of lists, counts of the filters, tiles in a language and
  currency) is there already, as it is in a shop that has been open for a minute.
- Starts are timed from the command to the first page's last byte.
- Memory is the resident size of the web process (VmRSS).
- The larger catalogues are copies of the demo catalogue in a scratch database: every brand, game, product and item again under another
  code, names respelled with other letters of the same script, so that the vocabulary of the search grows with the goods; regions,
  categories and publishers stay, so that their lists grow too.`
