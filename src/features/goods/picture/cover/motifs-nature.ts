/** Sky, land and plants. */
import { pick } from './chance.ts'
import type { Motif } from './motif.ts'
import { circle, n1, path, polar, polygon, rect, rotated, TAU } from './shapes.ts'

export const flame: Motif = ({ x, y, R, m, accent, accentDeep }) => {
  const tongue = (k: number, fill: string, dx = 0) =>
    `<path transform="translate(${n1(x + dx)} ${n1(y + R * 0.95)}) scale(${n1(R * k * 10) / 10})" d="M0 0C-.75 0-.95-.62-.7-1.05-.6-.85-.45-.8-.38-.86-.5-1.35-.2-1.75.2-2 .1-1.55.35-1.4.55-1.1.95-.55.7 0 0 0Z" fill="${fill}"/>`
  return (
    tongue(1, m[1]) +
    tongue(0.78, m[2], R * 0.03) +
    tongue(0.54, accentDeep, R * 0.02) +
    tongue(0.32, accent, R * 0.02)
  )
}

export const planet: Motif = ({ x, y, R, m, accent, accentDeep, random }) => {
  const id = `p${Math.trunc(random() * 1e6)}`
  const r = R * 0.66
  const shadow = `M${n1(x + r * 0.2)} ${n1(y - r)}a${n1(r * 1.2)} ${n1(r * 1.2)} 0 0 1 0 ${n1(2 * r)}h${n1(r)}v${n1(-2 * r)}z`
  const orbit = `M${n1(x - R * 1.15)} ${n1(y)}a${n1(R * 1.15)} ${n1(R * 0.3)} 0 0 0 ${n1(R * 2.3)} 0`
  const globe =
    circle(x, y, r, m[2]) +
    rect(x - r, y - r * 0.55, 2 * r, r * 0.3, m[3]) +
    rect(x - r, y - r * 0.05, 2 * r, r * 0.42, m[3]) +
    rect(x - r, y + r * 0.58, 2 * r, r * 0.2, m[4]) +
    `<path d="${shadow}" fill="${m[0]}" opacity=".28"/>`
  return (
    rotated(
      `<ellipse cx="${n1(x)}" cy="${n1(y)}" rx="${n1(R * 1.15)}" ry="${n1(R * 0.3)}" fill="none" stroke="${accentDeep}" stroke-width="${n1(R * 0.1)}"/>` +
        `<clipPath id="${id}">${circle(x, y, r, '#000')}</clipPath><g clip-path="url(#${id})">${globe}</g>` +
        `<path d="${orbit}" fill="none" stroke="${accent}" stroke-width="${n1(R * 0.1)}"/>`,
      -22,
      x,
      y,
    ) + circle(x + R * 0.8, y - R * 0.8, R * 0.1, m[4])
  )
}

export const waves: Motif = ({ x, y, R, W, H, m, accent, random }) => {
  let svg = circle(x + (random() - 0.5) * R, y - R * 0.35, R * 0.5, accent)
  for (const [i, fill] of [m[4], m[3], m[2], m[1], m[0]].entries()) {
    const top = y - R * 0.1 + i * R * 0.3
    const amplitude = R * (0.2 - i * 0.015)
    const length = W / (1.5 + (i % 3) * 0.5)
    const offset = random() * length
    let d = `M${n1(-offset)} ${n1(top)}`
    for (let k = 0; k * length - offset < W + length; k++)
      d += `q${n1(length / 4)} ${n1(-amplitude)} ${n1(length / 2)} 0t${n1(length / 2)} 0`
    svg += path(`${d}V${H}H${n1(-offset)}Z`, fill)
  }
  return svg
}

export const peaks: Motif = ({ x, y, R, W, H, m, accent, random }) => {
  let svg = circle(x + R * (random() > 0.5 ? 0.45 : -0.45), y - R * 0.5, R * 0.36, accent)
  const mountains = [
    [-0.62, 0.95, 1.15, m[2], m[0]],
    [0.66, 0.9, 1, m[2], m[0]],
    [0.02, 1.15, 1.5, m[3], m[1]],
  ] as const
  for (const [dx, w, h, light, dark] of mountains) {
    const bx = x + dx * R
    const by = y + R
    svg +=
      polygon(
        [
          [bx - w * R, by],
          [bx, by - h * R],
          [bx + w * 0.15 * R, by],
        ],
        light,
      ) +
      polygon(
        [
          [bx, by - h * R],
          [bx + w * R, by],
          [bx + w * 0.1 * R, by],
        ],
        dark,
      ) +
      polygon(
        [
          [bx, by - h * R],
          [bx - w * 0.22 * R, by - h * R * 0.78],
          [bx - w * 0.02 * R, by - h * R * 0.84],
          [bx + w * 0.06 * R, by - h * R * 0.74],
          [bx + w * 0.24 * R, by - h * R * 0.76],
        ],
        m[4],
      )
  }
  return svg + rect(0, y + R - 1, W, H - y - R + 1, m[0])
}

export const petals: Motif = ({ x, y, R, m, accent, random }) => {
  const n = pick([5, 6, 8, 10], Math.trunc(random() * 4))
  const half = (side: number) =>
    `M${n1(x)} ${n1(y)}Q${n1(x + side * R * 0.42)} ${n1(y - R * 0.6)} ${n1(x)} ${n1(y - R)}Z`
  let svg = ''
  for (let i = 0; i < n; i++)
    svg += rotated(path(half(-1), m[3]) + path(half(1), i % 2 ? m[1] : m[2]), (i / n) * 360, x, y)
  return svg + circle(x, y, R * 0.2, accent) + circle(x, y, R * 0.09, m[0])
}

export const leaf: Motif = ({ x, y, R, m, accent }) => {
  const half = (side: number) =>
    `M${n1(x)} ${n1(y + R)}C${n1(x + side * R * 0.75)} ${n1(y + R * 0.3)} ${n1(x + side * R * 0.55)} ${n1(y - R * 0.6)} ${n1(x)} ${n1(y - R)}Z`
  const blade = (angle: number, light: string, dark: string) =>
    rotated(path(half(-1), light) + path(half(1), dark), angle, x, y + R)
  return (
    blade(-46, m[2], m[1]) +
    blade(46, m[2], m[1]) +
    blade(0, m[4], m[3]) +
    circle(x, y + R * 0.92, R * 0.14, accent)
  )
}

export const bolt: Motif = ({ x, y, R, m, accent }) => {
  const outline = [
    [0.2, -1.05],
    [-0.62, 0.15],
    [-0.08, 0.15],
    [-0.28, 1.05],
    [0.64, -0.22],
    [0.08, -0.22],
    [0.5, -1.05],
  ] as const
  const flash = (dx: number, dy: number, fill: string) =>
    polygon(
      outline.map(([u, v]) => [x + u * R + dx, y + v * R + dy]),
      fill,
    )
  return (
    flash(R * 0.3, R * 0.14, m[0]) +
    flash(R * 0.15, R * 0.07, m[2]) +
    flash(0, 0, accent) +
    polygon(
      [
        [x + R * 0.2, y - R * 1.05],
        [x - R * 0.62, y + R * 0.15],
        [x - R * 0.36, y + R * 0.15],
        [x + R * 0.36, y - R * 1.05],
      ],
      m[4],
    )
  )
}

export const eclipse: Motif = ({ x, y, R, m, accent, random }) => {
  let svg = ''
  for (let i = 0; i < 24; i++) {
    const a = (i / 24) * TAU
    const ray = [
      polar(x, y, R * 0.8, a - 0.05),
      polar(x, y, R * (i % 2 ? 1.16 : 0.98), a),
      polar(x, y, R * 0.8, a + 0.05),
    ]
    svg += polygon(ray, i % 2 ? m[3] : m[2])
  }
  const d = (random() > 0.5 ? 1 : -1) * R * 0.26
  return (
    svg +
    circle(x, y, R * 0.74, accent) +
    circle(x + d, y - R * 0.12, R * 0.62, m[0]) +
    circle(x + d * 1.15, y - R * 0.16, R * 0.16, m[1]) +
    circle(x + d * 0.3, y + R * 0.12, R * 0.09, m[1])
  )
}
