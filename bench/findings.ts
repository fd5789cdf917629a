import type { BrowserFigures } from './browser/run.ts'
import type { BrowserFiles, PageScripts } from './browser-files.ts'
import type { SearchHits } from './calls.ts'
import type { ColdFigures } from './cold/task.ts'
import type { ContestResult } from './load/rounds.ts'
import { SIGN_INS_PER_SECOND, VISITS_PER_SECOND, type PeopleFigures } from './people/run.ts'
import type { MemoryFigures } from './process-figures.ts'
import { kilobytes, milliseconds, percent, toKnow, toReach, type Row } from './report.ts'
import type { StartFigures } from './starts.ts'

/** What one part of the benchmark found. */
export interface Finding {
  readonly rows: readonly Row[]
  readonly notes?: readonly string[]
  readonly missedWords?: readonly string[]
}

export function withNotes(findings: readonly Finding[]): Required<Finding> {
  return {
    rows: findings.flatMap((finding) => finding.rows),
    notes: findings.flatMap((finding) => finding.notes ?? []),
    missedWords: findings.flatMap((finding) => finding.missedWords ?? []),
  }
}

export function pageRows(result: ContestResult): Finding {
  return {
    rows: [
      toReach(
        'public page served again, brotli',
        ratioText(result),
        '≥ 80 % of raw',
        result.ratio >= 0.8,
      ),
    ],
    notes: [loadNote('page served again', result)],
  }
}

export function callRows(kept: ContestResult, anew: ContestResult): Finding {
  return {
    rows: [
      toReach('`goods/index`, 10 items', ratioText(kept), '≥ 50 % of raw', kept.ratio >= 0.5),
      toReach(
        '`goods/index`, 10 items, p99 at 32 connections',
        milliseconds(kept.p99),
        '≤ 10 ms',
        kept.p99 <= 10,
      ),
      toKnow(
        '`goods/index`, 10 items, each answer made anew',
        `${ratioText(anew)}, p99 ${milliseconds(anew.p99)}`,
      ),
    ],
    notes: [loadNote('goods/index', kept), loadNote('goods/index made anew', anew)],
  }
}

export interface SearchFigures {
  readonly index: ContestResult
  readonly classes: ContestResult
  readonly kept: ContestResult
  readonly hits: SearchHits
}

const HIT_SHARE = 0.97

export function searchRows({ index, classes, kept, hits }: SearchFigures): Finding {
  return {
    rows: [
      toReach(
        '`goods/index?keywords=`, the mix, made anew',
        ratioText(index),
        '≥ 8 % of raw',
        index.ratio >= 0.08,
      ),
      toReach('`goods/index?keywords=`, p99', milliseconds(index.p99), '≤ 20 ms', index.p99 <= 20),
      toReach(
        '`goods/search`, the mix, made anew',
        ratioText(classes),
        '≥ 8 % of raw',
        classes.ratio >= 0.08,
      ),
      toReach('`goods/search`, p99', milliseconds(classes.p99), '≤ 20 ms', classes.p99 <= 20),
      toKnow(
        '`goods/index?keywords=`, the mix in one currency, kept where it fits',
        `${ratioText(kept)}, p99 ${milliseconds(kept.p99)}`,
      ),
      toReach(
        'search words whose brand is among the first five',
        `${hits.found} of ${hits.asked} (${percent(hits.found / hits.asked)})`,
        `≥ ${percent(HIT_SHARE)}`,
        hits.found / hits.asked >= HIT_SHARE,
      ),
    ],
    notes: [loadNote('goods/index?keywords=', index), loadNote('goods/search', classes)],
    missedWords: hits.missed,
  }
}

const VISIT_LIMIT_MS = 50

export function peopleRows({
  hashing,
  signInsPerSecond,
  ofHashing,
  quiet,
  signingIn,
  raw,
  steady,
}: PeopleFigures): Finding {
  const visits = `page served again and \`goods/index\`, ${VISITS_PER_SECOND}/s`
  return {
    rows: [
      toKnow(`hashing one password (${hashing.parameters})`, milliseconds(hashing.ms)),
      toKnow(
        'sign-ins, of what hashing alone allows',
        `${percent(ofHashing)} (${signInsPerSecond.toFixed(0)}/s)`,
      ),
      toReach(
        `${visits}, p99 while ${SIGN_INS_PER_SECOND} sign-ins a second run`,
        milliseconds(signingIn.p99),
        `≤ ${VISIT_LIMIT_MS} ms`,
        signingIn.p99 <= VISIT_LIMIT_MS,
      ),
      toKnow('the same without sign-ins', milliseconds(quiet.p99)),
    ],
    notes: [
      `Visits at a steady ${VISITS_PER_SECOND}/s: with sign-ins p50 ${milliseconds(signingIn.p50)}, longest ${milliseconds(signingIn.max)}; without p50 ${milliseconds(quiet.p50)}, ` +
        `longest ${milliseconds(quiet.max)}; raw p50 ${milliseconds(raw.p50)}, p99 ${milliseconds(raw.p99)}, longest ${milliseconds(raw.max)}.`,
      `Sign-ins at ${SIGN_INS_PER_SECOND} a second beside them: p50 ${milliseconds(steady.p50)}, longest ${milliseconds(steady.max)}.`,
    ],
  }
}

const UNCHANGED_LIMIT_US = 400

export function coldRows(figures: ColdFigures): Finding {
  const { uncompressedUs, servedUs, plainUs, allThreadsUs } = figures
  return {
    rows: [
      toReach(
        `list page of ${figures.cards} cards, cold`,
        `${percent(figures.ratio)} (${microseconds(uncompressedUs)})`,
        '≥ 70 % of `Buffer.from(renderToString)`',
        figures.ratio >= 0.7,
      ),
      toKnow(
        "the same with the compression's part on the server's thread",
        `${percent(figures.servedRatio)} (${microseconds(servedUs)})`,
      ),
      toReach(
        'a page that a change of the catalogue did not change',
        microseconds(figures.unchangedUs),
        '≤ 400 µs, the bytes kept',
        figures.unchangedUs <= UNCHANGED_LIMIT_US,
      ),
    ],
    notes: [
      `Cold list page, processor time: plain \`Buffer.from(renderToString)\` ${microseconds(plainUs)}; all the server does but compress ${microseconds(uncompressedUs)}; with what ` +
        `compression costs its thread ${microseconds(servedUs)}, with all threads ${microseconds(allThreadsUs)}; ${figures.characters.toFixed(0)} characters of HTML.`,
      `Reading the catalogue from the database and building the search indexes: ${milliseconds(figures.snapshotMs)}.`,
    ],
  }
}

function microseconds(value: number): string {
  return `${value.toFixed(0)} µs`
}

const STILL_SCRIPT_LIMIT = 10 * 1024
const PRODUCT_SCRIPT_LIMIT = 76 * 1024
const PAGE_SCRIPT_LIMIT = 100 * 1024
const STYLE_LIMIT = 20 * 1024

export function fileRows(files: BrowserFiles): Finding {
  return {
    rows: [
      toReach(
        'JS of home, list, game, article before anybody touches anything',
        scripts(files.still),
        '≤ 10 KB brotli, ≤ 4 files',
        files.still.bytes <= STILL_SCRIPT_LIMIT && files.still.files <= 4,
      ),
      toReach(
        'JS of a product page, React included, one level',
        scripts(files.product),
        '≤ 76 KB brotli, ≤ 6 files',
        files.product.bytes <= PRODUCT_SCRIPT_LIMIT && files.product.files <= 6,
      ),
      toReach(
        `JS of the page with most script (${files.most.page})`,
        scripts(files.most),
        '≤ 100 KB brotli',
        files.most.bytes <= PAGE_SCRIPT_LIMIT,
      ),
      toReach(
        'CSS of any page',
        kilobytes(files.styles),
        '≤ 20 KB brotli',
        files.styles <= STYLE_LIMIT,
      ),
    ],
    notes: [
      `The first touch of search fetches ${scripts(files.search)} beside that; texts of a product's living parts in its HTML: ${kilobytes(files.words.bytes)} (${files.words.language}, the heaviest).`,
    ],
  }
}

const LIFE_LIMITS_MS = { home: 20, list: 40, product: 65 } as const
const LONG_TASK_LIMITS_MS = { home: 0, list: 0, product: 30 } as const
/** What INP calls good. */
const TAP_LIMIT_MS = 200
const IN_CART_LIMIT_MS = 1_000

export function browserRows({ visits, longTasksMs, add, tapMs }: BrowserFigures): Finding {
  const pages = ['home', 'list', 'product'] as const
  return {
    rows: [
      ...pages.map((page) =>
        toReach(
          `coming alive, main-thread time of script: ${page}`,
          `${visits[page].scriptMs.toFixed(0)} ms`,
          `≤ ${LIFE_LIMITS_MS[page]} ms`,
          visits[page].scriptMs <= LIFE_LIMITS_MS[page],
        ),
      ),
      ...pages.map((page) =>
        toReach(
          `tasks over 50 ms, four times slower, what is over: ${page}`,
          `${longTasksMs[page].toFixed(0)} ms; ${visits[page].excessMs.toFixed(0)} ms by processor time`,
          `≤ ${LONG_TASK_LIMITS_MS[page]} ms`,
          longTasksMs[page] <= LONG_TASK_LIMITS_MS[page],
        ),
      ),
      toReach(
        '"Add" pressed as soon as it is painted, 400 kbit/s, 400 ms, six times slower: in the cart',
        `${add.inCartMs.toFixed(0)} ms (at most ${add.most.toFixed(0)}), ${add.kept} of ${add.tries} once`,
        '≤ 1 s, never lost',
        add.inCartMs <= IN_CART_LIMIT_MS && add.kept === add.tries,
      ),
      toReach(
        'first tap on "Add", four times slower, to the next frame: as soon as painted / at rest',
        `${tapMs.atOnce.toFixed(0)} / ${tapMs.later.toFixed(0)} ms`,
        `≤ ${TAP_LIMIT_MS} ms`,
        Math.max(tapMs.atOnce, tapMs.later) <= TAP_LIMIT_MS,
      ),
    ],
  }
}

function scripts({ bytes, files }: PageScripts): string {
  return `${kilobytes(bytes)} in ${files} ${files === 1 ? 'file' : 'files'}`
}

export function startRows({ first, again }: StartFigures): Finding {
  return {
    rows: [
      toReach('start on existing data to first page', `${again.toFixed(1)} s`, '≤ 3 s', again <= 3),
      toReach('very first start, after the build', `${first.toFixed(1)} s`, '≤ 40 s', first <= 40),
    ],
  }
}

export interface MemoryCourse {
  readonly loaded: MemoryFigures
  readonly visited: MemoryFigures
  readonly pages: number
  readonly afterLoad: MemoryFigures
}

const MEMORY_LIMIT_MB = 450

export function memoryRows({ loaded, visited, pages, afterLoad }: MemoryCourse): Finding {
  const most = Math.max(loaded.residentMb, visited.residentMb, afterLoad.residentMb)
  return {
    rows: [
      toReach(
        'memory of the web process, the most of three readings',
        megabytes(most),
        `≤ ${MEMORY_LIMIT_MB} MB`,
        most <= MEMORY_LIMIT_MB,
      ),
    ],
    notes: [
      `Memory of the web process: ${megabytes(loaded.residentMb)} when ready, ${megabytes(visited.residentMb)} after ${pages} pages in every language, ` +
        `${megabytes(afterLoad.residentMb)} after all load${afterLoad.peakMb === null ? '' : `; at most ${megabytes(afterLoad.peakMb)} for a moment`}.`,
    ],
  }
}

export function megabytes(value: number): string {
  return `${value.toFixed(0)} MB`
}

export function ratioText({ ratio, perSecond }: ContestResult): string {
  return `${percent(ratio)} (${perSecond.toFixed(0)}/s)`
}

/** Below this share of a core the client, not the server, set the pace. */
const BUSY = 0.9

function loadNote(
  what: string,
  { rawPerSecond, cpuRatio, cpuMicroseconds, busy, rawBusy, p50 }: ContestResult,
): string {
  const cpu =
    cpuRatio === null
      ? ''
      : `; by processor time for a request ${percent(cpuRatio)} of raw (${cpuMicroseconds?.toFixed(0)} µs)`
  const limited =
    rawBusy !== null && rawBusy < BUSY
      ? `; the raw server used ${percent(rawBusy)} of a core, ours ${percent(busy ?? 0)}: the client or other programs held them back`
      : ''
  return `${what}: raw ${rawPerSecond.toFixed(0)}/s, p50 ${milliseconds(p50)}${cpu}${limited}.`
}
