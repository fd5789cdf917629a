import type { Path } from 'fontkit'

interface Point {
  readonly x: number
  readonly y: number
  readonly isOn: boolean
}

const FLAG = { on: 1, shortX: 2, shortY: 4, plusX: 16, plusY: 32 } as const

/**
 * A glyph as table `glyf` has it (OpenType, "Simple Glyph Description"), of a path of lines and quadratic curves. Coordinates are
 * rounded to whole units.
 */
export function encodeOutline(path: Pick<Path, 'commands'>): Buffer {
  const contours = contoursOf(path)
  const points = contours.flat()
  if (points.length === 0) return Buffer.alloc(0)
  const bytes = { flags: [] as number[], x: [] as number[], y: [] as number[] }
  let [x, y] = [0, 0]
  for (const point of points) {
    bytes.flags.push(
      (point.isOn ? FLAG.on : 0) |
        step(bytes.x, point.x - x, FLAG.shortX, FLAG.plusX) |
        step(bytes.y, point.y - y, FLAG.shortY, FLAG.plusY),
    )
    x = point.x
    y = point.y
  }
  const head = Buffer.alloc(10 + contours.length * 2 + 2)
  const [xs, ys] = [points.map((point) => point.x), points.map((point) => point.y)]
  const numbers = [
    contours.length,
    Math.min(...xs),
    Math.min(...ys),
    Math.max(...xs),
    Math.max(...ys),
  ]
  let end = -1
  for (const contour of contours) numbers.push((end += contour.length))
  numbers.forEach((value, index) => head.writeInt16BE(value, index * 2))
  const glyph = Buffer.concat([head, Buffer.from([...bytes.flags, ...bytes.x, ...bytes.y])])
  return Buffer.concat([glyph, Buffer.alloc(-glyph.length & 3)])
}

/** Writes a coordinate's distance from the one before and answers its bits of the point's flag. */
function step(into: number[], distance: number, short: number, plus: number): number {
  if (distance === 0) return plus
  if (Math.abs(distance) < 256) {
    into.push(Math.abs(distance))
    return short | (distance > 0 ? plus : 0)
  }
  into.push((distance >> 8) & 255, distance & 255)
  return 0
}

function contoursOf({ commands }: Pick<Path, 'commands'>): readonly (readonly Point[])[] {
  const contours: Point[][] = []
  for (const {
    command,
    args: [x = 0, y = 0, toX = 0, toY = 0],
  } of commands) {
    if (command === 'moveTo') contours.push([{ x, y, isOn: true }])
    else if (command === 'lineTo') contours.at(-1)?.push({ x, y, isOn: true })
    else if (command === 'quadraticCurveTo')
      contours.at(-1)?.push({ x, y, isOn: false }, { x: toX, y: toY, isOn: true })
    else if (command !== 'closePath') throw new Error(`${command} is no part of a TrueType outline`)
  }
  return contours
    .map((contour) =>
      withoutImplied(closed(contour)).map(({ x, y, isOn }) => ({
        x: Math.round(x),
        y: Math.round(y),
        isOn,
      })),
    )
    .filter((contour) => contour.length > 2)
}

/** A contour ends where it began without saying so. */
function closed(contour: readonly Point[]): readonly Point[] {
  const [first, last] = [contour[0], contour.at(-1)]
  return contour.length > 1 && last?.isOn && last.x === first?.x && last.y === first.y
    ? contour.slice(0, -1)
    : contour
}

/** A point halfway between two control points goes without saying. */
function withoutImplied(contour: readonly Point[]): readonly Point[] {
  return contour.filter((point, index) => {
    const [before, after] = [contour.at(index - 1), contour[(index + 1) % contour.length]]
    return (
      index === 0 ||
      !point.isOn ||
      !before ||
      !after ||
      before.isOn ||
      after.isOn ||
      point.x !== (before.x + after.x) / 2 ||
      point.y !== (before.y + after.y) / 2
    )
  })
}
