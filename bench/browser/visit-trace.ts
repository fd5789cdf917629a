import type { Browser, Page } from '@playwright/test'

/** Of one visit, in processor time of the page's main thread, as the browser's own trace tells it: what else the machine does stands in none of it. */
export interface VisitFigures {
  /** Compiling and running script, and what script has the browser do meanwhile (styles and layout asked for in between). */
  readonly scriptMs: number
  /** By how much single tasks would last longer than the limit, were the processor so many times slower. */
  readonly excessMs: number
}

interface TraceEvent {
  readonly name: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  readonly ts: number
  readonly dur?: number
  /** Processor time of the thread within `dur`. */
  readonly tdur?: number
  readonly args?: { readonly beginData?: { readonly url?: string } }
}

const CATEGORIES = ['devtools.timeline', 'toplevel', 'v8']
const TASK = /RunTask$/
const SCRIPT =
  /^(?:v8\.(?:run|evaluateModule|compile)|EvaluateScript|FunctionCall|TimerFire|RunMicrotasks|EventDispatch|FireAnimationFrame|FireIdleCallback|MinorGC|MajorGC|BlinkScheduler_PerformMicrotaskCheckpoint)/
const MICROSECONDS = 1_000

/** Traces what the browser does from the address until the page has settled. */
export async function traceVisit(
  browser: Browser,
  page: Page,
  {
    address,
    settledMs,
    slower,
    limitMs,
  }: {
    readonly address: string
    readonly settledMs: number
    readonly slower: number
    readonly limitMs: number
  },
): Promise<VisitFigures> {
  const devTools = await browser.newBrowserCDPSession()
  const events: TraceEvent[] = []
  devTools.on('Tracing.dataCollected', ({ value }) => {
    events.push(...(value as unknown as TraceEvent[]))
  })
  await devTools.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: CATEGORIES, excludedCategories: ['*'] },
  })
  await page.goto(address, { waitUntil: 'load' })
  await page.waitForTimeout(settledMs)
  const isComplete = new Promise((resolve) => devTools.once('Tracing.tracingComplete', resolve))
  await devTools.send('Tracing.end')
  await isComplete
  const own = ofMainThread(events, address)
  const sum = (list: readonly TraceEvent[], part: (ms: number) => number) =>
    list.reduce((total, { tdur = 0 }) => total + part(tdur / MICROSECONDS), 0)
  return {
    scriptMs: sum(outermost(own, SCRIPT), (ms) => ms),
    excessMs: sum(outermost(own, TASK), (ms) => Math.max(0, ms * slower - limitMs)),
  }
}

/** The thread that read the page's HTML. */
function ofMainThread(events: readonly TraceEvent[], address: string): readonly TraceEvent[] {
  const reading = events.find(
    ({ name, args }) => name === 'ParseHTML' && args?.beginData?.url === address,
  )
  if (!reading) throw new Error(`The trace knows nothing of ${address}`)
  return events
    .filter(({ pid, tid, ph }) => pid === reading.pid && tid === reading.tid && ph === 'X')
    .toSorted((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0))
}

/** Those of a name that stand in no other of it. */
function outermost(events: readonly TraceEvent[], name: RegExp): readonly TraceEvent[] {
  let end = 0
  return events.filter((event) => {
    if (!name.test(event.name) || event.ts < end) return false
    end = event.ts + (event.dur ?? 0)
    return true
  })
}
