/** Things people play, shop, eat and travel with. */
import { pick } from './chance.ts'
import type { Motif } from './motif.ts'
import { circle, n1, path, polar, polygon, rect, ring, rotated, TAU } from './shapes.ts'
import type { Point } from './shapes.ts'

export const reticle: Motif = ({ x, y, R, m, accent }) => {
  let svg =
    ring(x, y, R * 0.92, m[2], R * 0.1) +
    ring(x, y, R * 0.6, m[3], R * 0.05, ` stroke-dasharray="${n1(R * 0.28)} ${n1(R * 0.1)}"`) +
    circle(x, y, R * 0.32, m[1]) +
    circle(x, y, R * 0.13, accent)
  for (let i = 0; i < 4; i++)
    svg += rotated(rect(x - R * 0.05, y - R * 1.12, R * 0.1, R * 0.42, m[4]), i * 90, x, y)
  return svg
}

export const cubes: Motif = (stage) => {
  const { x, y, m, accent, random } = stage
  const R = stage.R * 0.86
  const a = R * 0.36
  const cube = (cx: number, cy: number, lid: string) =>
    polygon(
      [
        [cx, cy - a],
        [cx + a * 0.87, cy - a / 2],
        [cx, cy],
        [cx - a * 0.87, cy - a / 2],
      ],
      lid,
    ) +
    polygon(
      [
        [cx - a * 0.87, cy - a / 2],
        [cx, cy],
        [cx, cy + a],
        [cx - a * 0.87, cy + a / 2],
      ],
      m[2],
    ) +
    polygon(
      [
        [cx + a * 0.87, cy - a / 2],
        [cx, cy],
        [cx, cy + a],
        [cx + a * 0.87, cy + a / 2],
      ],
      m[1],
    )
  const marked = Math.trunc(random() * 3)
  let svg = ''
  let lids = 0
  for (let row = 0; row < 3; row++)
    for (let column = 0; column <= row; column++) {
      const height = row === 0 ? 2 : random() > 0.45 ? 1 : 0
      for (let z = 0; z <= height; z++) {
        const lid = z === height && lids++ % 3 === marked ? accent : m[4]
        svg += cube(
          x + (column - row / 2) * a * 1.74,
          y - R * 0.3 + row * a * 1.5 * 0.66 - z * a + a * 0.55,
          lid,
        )
      }
    }
  return svg
}

export const road: Motif = ({ x, y, R, W, H, m, accent }) => {
  const horizon = y - R * 0.25
  let svg = circle(x, horizon - R * 0.1, R * 0.62, accent) + rect(0, horizon, W, H, m[1])
  svg += polygon(
    [
      [x - R * 0.1, horizon],
      [x + R * 0.1, horizon],
      [x + W * 0.62, H],
      [x - W * 0.62, H],
    ],
    m[0],
  )
  const halfWidth = (t: number) => R * 0.012 + (t - horizon) * 0.05
  for (let i = 0; i < 4; i++) {
    const a = horizon + (i * i + 0.4) * R * 0.1 + i * 6
    const b = horizon + ((i + 0.55) ** 2 + 0.4) * R * 0.1 + i * 6
    svg += polygon(
      [
        [x - halfWidth(a), a],
        [x + halfWidth(a), a],
        [x + halfWidth(b), b],
        [x - halfWidth(b), b],
      ],
      m[4],
    )
  }
  for (const d of [-1, 1])
    svg += polygon(
      [
        [x + d * R * 0.1, horizon],
        [x + d * R * 0.12, horizon],
        [x + d * W * 0.72, H],
        [x + d * W * 0.62, H],
      ],
      m[3],
    )
  return svg
}

export const ball: Motif = ({ x, y, R, m, random }) => {
  const id = `b${Math.trunc(random() * 1e6)}`
  const pentagon = ([cx, cy]: Point, a: number) =>
    [0, 1, 2, 3, 4].map((i) => polar(cx, cy, R * 0.36, a + (i / 5) * TAU))
  let patches = polygon(pentagon([x, y], -Math.PI / 2), m[0])
  for (let i = 0; i < 5; i++) {
    const a = -Math.PI / 2 + (i / 5) * TAU
    const seam = `M${polar(x, y, R * 0.36, a).map(n1)}L${polar(x, y, R * 0.66, a).map(n1)}`
    patches +=
      `<path d="${seam}" stroke="${m[0]}" stroke-width="${n1(R * 0.05)}"/>` +
      polygon(pentagon(polar(x, y, R * 0.95, a), a + Math.PI), m[0])
  }
  const leather =
    circle(x, y, R, m[4]) +
    circle(x + R * 0.5, y + R * 0.5, R * 0.95, m[3]) +
    circle(x - R * 0.12, y - R * 0.12, R * 0.92, m[4])
  return `${circle(x + R * 0.1, y + R * 0.12, R, m[0])}<clipPath id="${id}">${circle(x, y, R, '#000')}</clipPath><g clip-path="url(#${id})">${leather}${patches}</g>`
}

export const parcel: Motif = ({ x, y, R, m, accent, accentDeep }) => {
  const a = R * 0.95
  const at = (u: number, v: number): Point => [x + u * a, y + v * a]
  return (
    polygon([at(0, -0.9), at(0.87, -0.45), at(0, 0), at(-0.87, -0.45)], m[4]) +
    polygon([at(-0.87, -0.45), at(0, 0), at(0, 0.95), at(-0.87, 0.5)], m[2]) +
    polygon([at(0.87, -0.45), at(0, 0), at(0, 0.95), at(0.87, 0.5)], m[1]) +
    polygon(
      [
        at(-0.52, -0.63),
        at(0.35, -0.18),
        at(0.35, 0.22),
        at(0.52, 0.13),
        at(0.52, -0.27),
        at(-0.35, -0.72),
      ],
      accent,
    ) +
    polygon([at(0.35, -0.18), at(0.52, -0.27), at(0.52, 0.13), at(0.35, 0.22)], accentDeep)
  )
}

export const tags: Motif = ({ x, y, R, m, accent }) => {
  const tag = (angle: number, fill: string) =>
    rotated(
      path(
        `M${n1(x - R * 0.5)} ${n1(y - R * 0.5)}L${n1(x)} ${n1(y - R)}L${n1(x + R * 0.5)} ${n1(y - R * 0.5)}V${n1(y + R)}H${n1(x - R * 0.5)}Z`,
        fill,
      ) +
        circle(x, y - R * 0.58, R * 0.13, m[0]) +
        rect(x - R * 0.28, y - R * 0.05, R * 0.56, R * 0.1, m[0], R * 0.05) +
        rect(x - R * 0.28, y + R * 0.2, R * 0.36, R * 0.1, m[0], R * 0.05),
      angle,
      x,
      y - R * 0.6,
    )
  return tag(30, m[1]) + tag(4, m[2]) + tag(-24, accent)
}

export const bowl: Motif = ({ x, y, R, m, accent, accentDeep }) => {
  const steam = (d: number) =>
    `<path d="M${n1(x + d * R)} ${n1(y - R * 0.65)}q${n1(-R * 0.14)} ${n1(-R * 0.14)} 0 ${n1(-R * 0.26)}t0 ${n1(-R * 0.26)}" fill="none" stroke="${m[4]}" stroke-width="${n1(R * 0.08)}" stroke-linecap="round"/>`
  return (
    circle(x - R * 0.4, y - R * 0.12, R * 0.34, accent) +
    circle(x + R * 0.3, y - R * 0.2, R * 0.4, m[4]) +
    circle(x + R * 0.02, y - R * 0.34, R * 0.3, accentDeep) +
    path(
      `M${n1(x - R)} ${n1(y)}h${n1(2 * R)}a${n1(R)} ${n1(R * 0.85)} 0 0 1 ${n1(-2 * R)} 0Z`,
      m[3],
    ) +
    path(
      `M${n1(x)} ${n1(y)}h${n1(R)}a${n1(R)} ${n1(R * 0.85)} 0 0 1 ${n1(-R)} ${n1(R * 0.85)}Z`,
      m[1],
    ) +
    rect(x - R * 0.4, y + R * 0.82, R * 0.8, R * 0.13, m[0], R * 0.06) +
    [-0.45, 0, 0.45].map(steam).join('')
  )
}

export const sprite: Motif = ({ x, y, R, m, accent, random }) => {
  const n = 8
  const a = (R * 2) / n
  let svg = ''
  for (let j = 0; j < n; j++)
    for (let i = 0; i < n / 2; i++) {
      const edges = Number(i === 0) + Number(j === 0) + Number(j === n - 1)
      if (random() > 0.7 - edges * 0.25) continue
      const fill = j < 2 ? m[4] : j < 5 ? m[3] : m[2]
      for (const k of [i, n - 1 - i])
        svg += rect(x - R + k * a, y - R + j * a, a + 0.3, a + 0.3, fill)
    }
  for (const k of [2, 5])
    svg +=
      rect(x - R + k * a, y - R + 3 * a, a, a, m[0]) +
      rect(x - R + k * a, y - R + 3 * a, a, a * 0.5, accent)
  return svg
}

export const bubbles: Motif = ({ x, y, R, m, accent }) => {
  const bubble = (
    X: number,
    Y: number,
    w: number,
    h: number,
    fill: string,
    tail: readonly [number, number, number],
  ) =>
    rect(X, Y, w, h, fill, h * 0.3) +
    polygon(
      [
        [X + w * tail[0], Y + h - 2],
        [X + w * tail[1], Y + h - 2],
        [X + w * tail[2], Y + h + R * 0.24],
      ],
      fill,
    )
  return (
    bubble(x - R, y - R * 0.8, R * 1.35, R * 0.9, m[1], [0.18, 0.34, 0.14]) +
    bubble(x - R * 0.35, y - R * 0.15, R * 1.35, R * 0.85, m[3], [0.68, 0.86, 0.88]) +
    [0, 1, 2].map((i) => circle(x + R * (0.06 + i * 0.27), y + R * 0.28, R * 0.09, m[0])).join('') +
    circle(x - R * 0.5, y - R * 0.36, R * 0.12, accent)
  )
}

export const pad: Motif = ({ x, y, R, m, accent }) => {
  const point = (u: number, v: number) => `${n1(x + R * u)} ${n1(y + R * v)}`
  const body =
    `M${point(-0.55, -0.5)}H${n1(x + R * 0.55)}C${point(0.98, -0.5)} ${point(1.12, 0.2)} ${point(1.06, 0.55)}` +
    `C${point(1, 0.86)} ${point(0.68, 0.76)} ${point(0.46, 0.4)}H${n1(x - R * 0.46)}` +
    `C${point(-0.68, 0.76)} ${point(-1, 0.86)} ${point(-1.06, 0.55)}C${point(-1.12, 0.2)} ${point(-0.98, -0.5)} ${point(-0.55, -0.5)}Z`
  const buttons = [
    [0, -1],
    [1, 0],
    [0, 1],
    [-1, 0],
  ] as const
  return (
    path(body, m[3]) +
    rect(x - R * 0.78, y - R * 0.1, R * 0.46, R * 0.15, m[0], 2) +
    rect(x - R * 0.625, y - R * 0.255, R * 0.15, R * 0.46, m[0], 2) +
    buttons
      .map(([u, v], i) =>
        circle(
          x + R * 0.55 + u * R * 0.17,
          y - R * 0.02 + v * R * 0.17,
          R * 0.085,
          i === 1 ? accent : m[0],
        ),
      )
      .join('')
  )
}

export const headset: Motif = ({ x, y, R, m, accent }) =>
  `<path d="M${n1(x - R * 0.8)} ${n1(y + R * 0.2)}a${n1(R * 0.8)} ${n1(R * 0.95)} 0 0 1 ${n1(R * 1.6)} 0" fill="none" stroke="${m[3]}" stroke-width="${n1(R * 0.2)}"/>` +
  rect(x - R, y + R * 0.05, R * 0.5, R * 0.85, m[4], R * 0.2) +
  rect(x + R * 0.5, y + R * 0.05, R * 0.5, R * 0.85, m[1], R * 0.2) +
  rect(x - R * 0.68, y + R * 0.05, R * 0.18, R * 0.85, accent, R * 0.06) +
  rect(x + R * 0.5, y + R * 0.05, R * 0.18, R * 0.85, accent, R * 0.06)

export const wheel: Motif = ({ x, y, R, m, accent }) => {
  let svg =
    circle(x, y, R, m[0]) + ring(x, y, R * 0.86, m[2], R * 0.1) + circle(x, y, R * 0.62, m[3])
  const spoke: Point[] = [
    [x - R * 0.09, y - R * 0.16],
    [x - R * 0.2, y - R * 0.56],
    [x + R * 0.2, y - R * 0.56],
    [x + R * 0.09, y - R * 0.16],
  ]
  for (let i = 0; i < 5; i++) svg += rotated(polygon(spoke, m[0]), i * 72, x, y)
  return svg + circle(x, y, R * 0.14, accent)
}

export const frames: Motif = ({ x, y, R, m, accent, random }) => {
  const turn = (random() - 0.5) * 26
  return [...m, accent]
    .map((fill, i) => {
      const k = 1.02 - i * 0.17
      return rotated(
        rect(x - R * k, y - R * k * 0.8, R * 2 * k, R * 1.6 * k, fill, R * 0.12 * k),
        turn * i * 0.45,
        x,
        y,
      )
    })
    .join('')
}

export const bars: Motif = ({ x, y, R, m, accent, random }) => {
  const n = 7
  const w = (R * 2) / (n * 1.5)
  let svg = ''
  for (let i = 0; i < n; i++) {
    const h = R * (0.35 + 0.65 * Math.abs(Math.sin(i * 1.3 + random() * 2)))
    const left = x - R + i * w * 1.55
    svg +=
      rect(left, y - h, w, h * 2, i % 2 ? m[2] : m[3], w / 2) +
      rect(left, y - h, w, h * 0.7, i === 3 ? accent : m[4], w / 2)
  }
  return svg
}

export const signal: Motif = ({ x, y, R, m, accent, random }) => {
  const left = random() > 0.5
  const cx = left ? x - R * 0.9 : x + R * 0.9
  const cy = y + R * 0.8
  let svg = ''
  for (let i = 5; i > 0; i--)
    svg += ring(
      cx,
      cy,
      R * (0.12 + i * 0.34),
      i === 2 ? accent : pick([m[4], m[1], m[2], m[3]], i),
      R * 0.17,
    )
  return svg + circle(cx, cy, R * 0.24, m[4])
}
