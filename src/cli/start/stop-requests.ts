/** Ctrl-C and the signals that mean the same. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** npm passes on a Ctrl-C that the terminal has sent to us as well: two signals of one request arrive together. */
const SAME_REQUEST_MS = 1_000

/** The first request settles `asked`; one more, a second or longer after it, calls `onImpatience`. */
export function listenForStop(onImpatience: () => void): { asked: Promise<void>; ignore(): void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  let firstAt: number | undefined
  const onSignal = () => {
    if (firstAt === undefined) {
      firstAt = performance.now()
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
