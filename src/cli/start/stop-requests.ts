/** Ctrl-C and the signals that mean the same. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** npm passes on a Ctrl-C that the terminal has sent to us as well: two signals of one request arrive together. */
const SAME_REQUEST_MS = 1_000

/** The first request is answered at once and settles `asked`; one more, a second or longer after it, calls `onImpatience`. */
export function listenForStop(
  say: (line: string) => void,
  onImpatience: () => void,
): { asked: Promise<void>; ignore(): void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  let firstAt: number | undefined
  const onSignal = () => {
    if (firstAt === undefined) {
      firstAt = performance.now()
      say('Stopping. Ask once more to wait for nothing.')
      resolve()
    } else if (performance.now() - firstAt >= SAME_REQUEST_MS) {
      onImpatience()
    }
  }
  for (const name of SIGNALS) process.on(name, onSignal)
  return {
    asked: promise,
    ignore: () => {
      for (const name of SIGNALS) process.off(name, onSignal)
    },
  }
}

/** A stop that takes longer than this says what it waits for, and again after as long. */
const SAID_AFTER_MS = 2_000

/** Waits for something to end, and says so when that takes long. */
export async function sayWaiting<T>(
  ending: Promise<T>,
  {
    what,
    say,
    afterMs = SAID_AFTER_MS,
  }: { what: string; say: (line: string) => void; afterMs?: number },
): Promise<T> {
  const began = performance.now()
  const timer = setInterval(() => {
    say(`Waiting for ${what} to end (${Math.round((performance.now() - began) / 1000)} s).`)
  }, afterMs)
  try {
    return await ending
  } finally {
    clearInterval(timer)
  }
}
