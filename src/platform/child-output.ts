import type { ChildProcess } from 'node:child_process'
import type { Readable } from 'node:stream'

const NEWLINE = 10
/** Longer than any line of ours; what is longer is passed on in pieces. */
const LINE_MAX_BYTES = 64 * 1024

/**
 * Says what a child says, where this process says its own. A child must not be handed our output itself: whoever starts or ends with it
 * makes writing to it wait for its reader, for all who share it, and a reader that stands still would hold this whole process.
 *
 * @param child with 'pipe' for its output, its errors or both
 */
export function passOn(child: ChildProcess): void {
  if (child.stdout) passLines(child.stdout, process.stdout)
  if (child.stderr) passLines(child.stderr, process.stderr)
}

/** Whole lines, so that those of several children do not mix. */
function passLines(from: Readable, to: NodeJS.WritableStream): void {
  let begun = Buffer.alloc(0)
  from.on('data', (chunk: Buffer) => {
    const said = begun.length > 0 ? Buffer.concat([begun, chunk]) : chunk
    const end = said.lastIndexOf(NEWLINE) + 1 || (said.length > LINE_MAX_BYTES ? said.length : 0)
    if (end > 0) to.write(said.subarray(0, end))
    begun = Buffer.from(said.subarray(end))
  })
  from.once('end', () => {
    if (begun.length > 0) to.write(begun)
  })
}
