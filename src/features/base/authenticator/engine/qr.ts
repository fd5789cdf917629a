import { encode } from 'uqr'

/** Quiet zone that ISO/IEC 18004 asks for, in modules. */
const BORDER = 4

/**
 * A QR code as SVG of its dark modules alone, one path in the colour of the text around it; the page lays it on a light
 * ground. One unit is one module.
 */
export function drawQr(text: string): string {
  const { data, size } = encode(text, { ecc: 'M', border: BORDER })
  const runs = data
    .map((row, y) =>
      runsOf(row)
        .map(([x, length]) => `M${x} ${y}h${length}v1h-${length}z`)
        .join(''),
    )
    .join('')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="currentColor" d="${runs}"/></svg>`
}

/** Start and length of each unbroken line of dark modules. */
function runsOf(row: readonly boolean[]): [number, number][] {
  const runs: [number, number][] = []
  for (const [x, isDark] of row.entries()) {
    const last = runs.at(-1)
    if (!isDark) continue
    if (last && last[0] + last[1] === x) last[1] += 1
    else runs.push([x, 1])
  }
  return runs
}
