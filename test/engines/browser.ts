import { setTimeout as sleep } from 'node:timers/promises'

/** Bounds on hanging, not on work: a busy machine is slow. */
export const PATIENCE_MS = 120_000

export interface Screen {
  readonly width: number
  readonly height: number
}

/** What fingers do, as the W3C's WebDriver and WebDriver BiDi both write it. */
export type Input =
  | Readonly<{
      type: 'pointer'
      id: string
      parameters: Readonly<{ pointerType: 'mouse' }>
      actions: readonly Readonly<Record<string, string | number>>[]
    }>
  | Readonly<{ type: 'key'; id: string; actions: readonly Readonly<Record<string, string>>[] }>

/** One window, in which nobody has been before. */
export interface Browser {
  /** Sets out for an address, and waits for nothing. */
  readonly goTo: (address: string) => Promise<void>
  readonly back: () => Promise<void>
  /** Evaluates an expression in the page; what it gives is JSON text. */
  readonly evaluate: (expression: string) => Promise<string>
  readonly perform: (inputs: readonly Input[]) => Promise<void>
  /** Errors that the pages wrote into the console, and those that nobody caught; none where the engine does not hear them. */
  readonly errors: () => readonly string[]
  readonly close: () => Promise<void>
}

export interface Engine {
  readonly version: string
  /** Whether its driver tells what stands in the console. */
  readonly hearsConsole: boolean
  readonly openWindow: (screen: Screen) => Promise<Browser>
  readonly stop: () => Promise<void>
}

/** Runs a function in the page; it sees nothing but what it is given, and both ways go by JSON. */
export async function run<Given extends readonly unknown[], Told>(
  browser: Browser,
  act: (...given: Given) => Told,
  ...given: Given
): Promise<Told> {
  const call = `(${act.toString()})(...${JSON.stringify(given)})`
  return JSON.parse(await browser.evaluate(`JSON.stringify(${call} ?? null)`)) as Told
}

/** Looks again and again; a page that goes while it is looked at has no answer yet. */
export async function until<T>(what: string, look: () => Promise<T | null>): Promise<T> {
  let last = ''
  for (const end = performance.now() + PATIENCE_MS; performance.now() < end; await sleep(50)) {
    try {
      const found = await look()
      if (found !== null) return found
      last = ''
    } catch (error) {
      last = ` (${error instanceof Error ? error.message : String(error)})`
    }
  }
  throw new Error(`${what} did not come${last}`)
}
