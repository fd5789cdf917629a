/** What may wait for a reader of the output: minutes of a busy log. */
const WAITING_MAX_BYTES = 1024 * 1024

/**
 * Lets this process live on when nobody takes what it says: a full disk under its output, a reader that has gone or one that stands still.
 * What cannot be said is lost; once there is room again, the output goes on, with a line that tells of the gap.
 */
export function surviveOutput(streams = [process.stdout, process.stderr]): void {
  for (const stream of streams) {
    // Without a listener the first failed write would end the process.
    stream.on('error', () => {})
    bound(stream)
  }
}

/** A pipe whose reader stands still would fill this process's memory. */
function bound(stream: NodeJS.WriteStream): void {
  const write = stream.write.bind(stream) as (...args: readonly unknown[]) => boolean
  let lost = 0
  const bounded = (...args: readonly unknown[]): boolean => {
    if (stream.writableLength > WAITING_MAX_BYTES) {
      lost += 1
      // Whoever waits until it is written would wait for ever.
      for (const done of args) if (typeof done === 'function') done()
      return false
    }
    if (lost > 0) {
      write(`${lost} lines are lost here: nobody took them\n`)
      lost = 0
    }
    return write(...args)
  }
  stream.write = bounded as typeof stream.write
}
