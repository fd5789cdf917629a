import { createStore } from './store.ts'

/** The bar at the top of the window (specification §9): null while nothing loads. */
export interface Progress {
  readonly state: 'running' | 'failed'
  readonly percent: number
}

export const progress = createStore<Progress | null>(null)

const THROTTLE_MS = 200
const DURATION_MS = 5_000
const HIDE_MS = 500
const STEP_MS = 100

let running = 0
let startTimer: ReturnType<typeof setTimeout> | undefined
let stepTimer: ReturnType<typeof setInterval> | undefined
let hideTimer: ReturnType<typeof setTimeout> | undefined

/** Something loads: the bar shows after 200 ms and nears its end over 5 s. Call `endProgress` once for each start. */
export function startProgress(): void {
  running += 1
  if (running > 1) return
  clearTimeout(hideTimer)
  startTimer = setTimeout(() => {
    let elapsedMs = 0
    progress.set({ state: 'running', percent: 4 })
    stepTimer = setInterval(() => {
      elapsedMs += STEP_MS
      progress.set({ state: 'running', percent: Math.min(96, (elapsedMs / DURATION_MS) * 100) })
    }, STEP_MS)
  }, THROTTLE_MS)
}

export function endProgress(outcome: 'done' | 'failed'): void {
  running = Math.max(0, running - 1)
  if (running > 0) return
  clearTimeout(startTimer)
  clearInterval(stepTimer)
  if (progress.get() === null && outcome === 'done') return
  progress.set({ state: outcome === 'done' ? 'running' : 'failed', percent: 100 })
  clearTimeout(hideTimer)
  hideTimer = setTimeout(() => progress.set(null), HIDE_MS)
}
