import type { Palette } from './palette.ts'
import { circle, n1, polar, polygon, rect, ring, TAU } from './shapes.ts'

/** One quiet layer behind the motif: 1 rays, 2 slants, 3 dots, 4 rings, 5 disc, 6 horizon, 7 stripes, 0 none. */
export function groundPattern(
  choice: number,
  width: number,
  height: number,
  colours: Palette,
  x: number,
  y: number,
): string {
  const fill = colours.pattern
  switch (choice) {
    case 1:
      return rays(width, fill, x, y)
    case 2:
      return slants(width, height, fill)
    case 3:
      return dots(width, height, fill)
    case 4:
      return [5, 4, 3, 2, 1].map((i) => ring(x, y, width * 0.17 * i, fill, width * 0.07)).join('')
    case 5:
      return circle(x, y, width * 0.46, fill)
    case 6:
      return rect(0, 0, width, y, fill)
    case 7:
      return stripes(width, height, fill)
    default:
      return ''
  }
}

function rays(width: number, fill: string, x: number, y: number): string {
  let svg = ''
  for (let i = 1; i < 18; i += 2)
    svg += polygon(
      [
        [x, y],
        polar(x, y, width * 1.6, (i / 18) * TAU),
        polar(x, y, width * 1.6, ((i + 1) / 18) * TAU),
      ],
      fill,
    )
  return svg
}

function slants(width: number, height: number, fill: string): string {
  const a = width / 9
  let svg = ''
  for (let i = -6; i < 16; i += 2) {
    const lean = height * 0.6
    svg += polygon(
      [
        [i * a, height],
        [(i + 1) * a, height],
        [(i + 1) * a + lean, 0],
        [i * a + lean, 0],
      ],
      fill,
    )
  }
  return svg
}

function dots(width: number, height: number, fill: string): string {
  const a = width / 10
  let d = ''
  for (let j = 0; j < height / a; j++)
    for (let i = 0; i < 10; i++)
      d += `M${n1(a / 2 + i * a + ((j % 2) * a) / 2)} ${n1(a / 2 + j * a)}h0`
  return `<path d="${d}" stroke="${fill}" stroke-width="${n1(a * 0.42)}" stroke-linecap="round"/>`
}

function stripes(width: number, height: number, fill: string): string {
  let svg = ''
  for (let i = 0; i < height / 16; i += 2) svg += rect(0, i * 16, width, 16, fill)
  return svg
}
