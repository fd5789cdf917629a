/** Plain geometry, for goods whose name suggests no subject. */
import { pick } from './chance.ts'
import type { Motif } from './motif.ts'
import { circle, n1, path, polar, polygon, ring, rotated } from './shapes.ts'
import type { Point } from './shapes.ts'

export const prism: Motif = ({ x, y, R, m, accent }) =>
  [m[0], m[1], m[2], m[3], accent]
    .map((fill, i) => {
      const k = 1 - i * 0.17
      const o = (i - 1.4) * R * 0.2
      return polygon(
        [
          [x - R * 0.62 * k + o, y - R * 0.95 * k],
          [x + R * 0.95 * k + o, y],
          [x - R * 0.62 * k + o, y + R * 0.95 * k],
        ],
        fill,
      )
    })
    .join('')

export const arches: Motif = ({ x, y, R, m, accent }) =>
  [m[1], m[2], m[3], m[4], accent, m[0]]
    .map((fill, i) => {
      const r = R * (1.05 - i * 0.18)
      return path(
        `M${n1(x - r)} ${n1(y + R)}V${n1(y)}a${n1(r)} ${n1(r)} 0 0 1 ${n1(2 * r)} 0V${n1(y + R)}Z`,
        fill,
      )
    })
    .join('')

export const truchet: Motif = ({ x, y, R, m, accent, random }) => {
  const n = 4
  const a = (R * 2) / n
  let svg = ''
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++) {
      const left = x - R + i * a
      const top = y - R + j * a
      const fill = pick([m[1], m[2], m[3], m[4], accent], Math.trunc(random() * 5))
      const quarters = Math.trunc(random() * 4)
      const quadrant = path(
        `M${n1(left)} ${n1(top)}h${n1(a)}a${n1(a)} ${n1(a)} 0 0 1 ${n1(-a)} ${n1(a)}z`,
        fill,
      )
      svg += rotated(quadrant, quarters * 90, left + a / 2, top + a / 2)
    }
  return svg
}

export const fan: Motif = ({ x, y, R, m, accent }) => {
  const n = 9
  const foot = y + R * 0.85
  let svg = ''
  for (let i = 0; i < n; i++) {
    const a = -Math.PI * (0.06 + (0.88 * i) / (n - 1))
    const length = R * 1.75
    svg += polygon(
      [[x, foot], polar(x, foot, length, a), polar(x, foot, length * 0.93, a - 0.3)],
      pick([m[1], m[3], m[2], m[4]], i),
    )
  }
  return svg + circle(x, foot, R * 0.3, accent) + circle(x, foot, R * 0.14, m[0])
}

export const rings: Motif = ({ x, y, R, m, accent }) => {
  const r = R * 0.5
  const w = R * 0.2
  const cx = x - R * 0.42
  const cy = y - R * 0.2
  return (
    ring(cx, cy, r, m[2], w) +
    ring(x + R * 0.42, cy, r, m[3], w) +
    ring(x, y + R * 0.42, r, accent, w) +
    // Drawn over its neighbour once more, so that the rings interlock.
    `<path d="M${n1(cx + r * 0.5)} ${n1(cy - r * 0.87)}A${n1(r)} ${n1(r)} 0 0 1 ${n1(cx + r * 0.87)} ${n1(cy + r * 0.5)}" fill="none" stroke="${m[2]}" stroke-width="${n1(w)}"/>`
  )
}

export const ribbon: Motif = ({ x, y, R, m, accent }) => {
  const w = R * 0.42
  const folds = [m[4], m[1], m[3], accent].map((fill, i) => {
    const top = y - R + i * w * 1.08
    const back: Point[] = [
      [x + R, top],
      [x + R, top + w],
      [x - R, top + w * 1.6],
      [x - R, top + w * 0.6],
    ]
    const front: Point[] = [
      [x - R, top - w * 0.3],
      [x - R, top + w * 0.7],
      [x + R, top + w],
      [x + R, top],
    ]
    return polygon(i % 2 ? back : front, fill)
  })
  return rotated(folds.join(''), -10, x, y)
}
