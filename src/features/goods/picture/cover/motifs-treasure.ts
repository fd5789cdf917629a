/** Things won and kept: gems, coins, crowns, arms. */
import { pick } from './chance.ts'
import type { Motif, Stage } from './motif.ts'
import { circle, n1, path, polar, polygon, rect, ring, rotated, TAU } from './shapes.ts'
import type { Point } from './shapes.ts'

export const gem: Motif = ({ x, y, R, m, accent }) => {
  const at = (u: number, v: number): Point => [x + u * R, y + v * R]
  const top = -0.62
  const girdle = -0.2
  const foot = 0.88
  return (
    polygon([at(-1, girdle), at(-0.6, top), at(-0.4, girdle)], m[2]) +
    polygon([at(-0.6, top), at(0, top), at(-0.4, girdle)], m[4]) +
    polygon([at(0, top), at(0.4, girdle), at(-0.4, girdle)], m[3]) +
    polygon([at(0, top), at(0.6, top), at(0.4, girdle)], m[4]) +
    polygon([at(0.6, top), at(1, girdle), at(0.4, girdle)], m[1]) +
    polygon([at(-1, girdle), at(-0.4, girdle), at(0, foot)], m[3]) +
    polygon([at(-0.4, girdle), at(0.4, girdle), at(0, foot)], m[2]) +
    polygon([at(0.4, girdle), at(1, girdle), at(0, foot)], m[1]) +
    polygon(
      [
        at(0.78, -0.92),
        at(0.84, -0.76),
        at(1, -0.7),
        at(0.84, -0.64),
        at(0.78, -0.48),
        at(0.72, -0.64),
        at(0.56, -0.7),
        at(0.72, -0.76),
      ],
      accent,
    )
  )
}

export const crystals: Motif = ({ x, y, R, m, accent, random }) => {
  const foot = y + R * 0.8
  const shard = (dx: number, w: number, h: number, angle: number, light: string, dark: string) =>
    rotated(
      polygon(
        [
          [x + dx - w, foot],
          [x + dx - w, foot - h],
          [x + dx, foot - h - w * 1.5],
          [x + dx, foot],
        ],
        light,
      ) +
        polygon(
          [
            [x + dx, foot],
            [x + dx, foot - h - w * 1.5],
            [x + dx + w, foot - h],
            [x + dx + w, foot],
          ],
          dark,
        ) +
        polygon(
          [
            [x + dx - w, foot - h],
            [x + dx, foot - h - w * 1.5],
            [x + dx, foot - h + w * 0.5],
          ],
          m[4],
        ),
      angle,
      x,
      foot,
    )
  return (
    shard(-R * 0.1, R * 0.17, R * 0.7, -38, m[2], m[1]) +
    shard(R * 0.1, R * 0.17, R * 0.75, 36, m[2], m[1]) +
    shard(-R * 0.06, R * 0.2, R * 1.05, -17, m[3], m[2]) +
    shard(R * 0.06, R * 0.2, R * 0.95, 19, m[3], m[2]) +
    shard(0, R * 0.25, R * 1.15 + random() * R * 0.15, 0, m[3], m[2]) +
    circle(x + R * 0.85, y - R * 0.55, R * 0.1, accent)
  )
}

export const coins: Motif = ({ x, y, R, m, accent, accentDeep, random }) => {
  const stack = (cx: number, count: number, w: number) => {
    let svg = ''
    for (let i = 0; i < count; i++) {
      const edge = y + R * 0.75 - i * w * 0.3
      const d = `M${n1(cx - w)} ${n1(edge - w * 0.28)}v${n1(w * 0.28)}a${n1(w)} ${n1(w * 0.4)} 0 0 0 ${n1(2 * w)} 0v${n1(-w * 0.28)}z`
      svg +=
        path(d, i % 2 ? m[1] : m[0]) +
        disc(cx, edge - w * 0.28, w, w * 0.4, i === count - 1 ? accent : m[3])
    }
    const top = y + R * 0.75 - (count - 1) * w * 0.3 - w * 0.28
    return `${svg}<ellipse cx="${n1(cx)}" cy="${n1(top)}" rx="${n1(w * 0.66)}" ry="${n1(w * 0.26)}" fill="none" stroke="${accentDeep}" stroke-width="${n1(w * 0.09)}"/>`
  }
  return (
    stack(x + R * 0.5, 3 + Math.trunc(random() * 3), R * 0.48) +
    stack(x - R * 0.55, 4 + Math.trunc(random() * 3), R * 0.44) +
    stack(x + R * 0.02, 2 + Math.trunc(random() * 2), R * 0.5)
  )
}

function disc(x: number, y: number, rx: number, ry: number, fill: string): string {
  return `<ellipse cx="${n1(x)}" cy="${n1(y)}" rx="${n1(rx)}" ry="${n1(ry)}" fill="${fill}"/>`
}

export const token: Motif = ({ x, y, R, m, accent, random }) => {
  let notches = ''
  for (let i = 0; i < 20; i++) {
    const a = (i / 20) * TAU
    notches += `M${polar(x, y, R * 0.86, a).map(n1)}L${polar(x, y, R * 0.97, a).map(n1)}`
  }
  const rays = 5 + Math.trunc(random() * 3)
  const star: Point[] = []
  for (let i = 0; i < rays * 2; i++)
    star.push(polar(x, y, R * (i % 2 ? 0.24 : 0.52), (i / rays / 2) * TAU - Math.PI / 2))
  return (
    circle(x + R * 0.1, y + R * 0.1, R, m[0]) +
    circle(x, y, R, m[3]) +
    `<path d="${notches}" stroke="${m[1]}" stroke-width="${n1(R * 0.07)}"/>` +
    circle(x, y, R * 0.76, m[2]) +
    ring(x, y, R * 0.76, m[4], R * 0.035) +
    polygon(star, accent)
  )
}

export const shield: Motif = ({ x, y, R, m, accent }) => {
  const half = (s: number) =>
    `M${n1(x)} ${n1(y - R)}C${n1(x + s * R * 0.3)} ${n1(y - R * 0.78)} ${n1(x + s * R * 0.6)} ${n1(y - R * 0.7)} ${n1(x + s * R * 0.85)} ${n1(y - R * 0.7)}` +
    `V${n1(y)}C${n1(x + s * R * 0.85)} ${n1(y + R * 0.55)} ${n1(x + s * R * 0.4)} ${n1(y + R * 0.85)} ${n1(x)} ${n1(y + R * 1.02)}Z`
  const chevron = (d: number, fill: string) =>
    polygon(
      [
        [x - R * 0.5, y + d],
        [x, y - R * 0.38 + d],
        [x + R * 0.5, y + d],
        [x + R * 0.5, y + R * 0.22 + d],
        [x, y - R * 0.16 + d],
        [x - R * 0.5, y + R * 0.22 + d],
      ],
      fill,
    )
  return (
    path(half(-1), m[3]) +
    path(half(1), m[1]) +
    chevron(-R * 0.02, m[4]) +
    chevron(R * 0.36, accent)
  )
}

export const star: Motif = ({ x, y, R, m, accent, random }) => {
  const n = pick([4, 5, 6, 8], Math.trunc(random() * 4))
  const k = n === 4 ? 0.3 : 0.44
  let svg = ''
  for (let i = 0; i < n; i++) {
    const a = (i / n) * TAU - Math.PI / 2
    const d = Math.PI / n
    const tip = polar(x, y, R, a)
    svg +=
      polygon([[x, y], polar(x, y, R * k, a - d), tip], m[4]) +
      polygon([[x, y], tip, polar(x, y, R * k, a + d)], i % 2 ? m[1] : m[2])
  }
  return (
    svg +
    circle(x + R * 0.8, y - R * 0.75, R * 0.09, accent) +
    circle(x - R * 0.85, y + R * 0.6, R * 0.06, accent)
  )
}

export const crown: Motif = (stage) => {
  const { x, y, m, accent } = stage
  const R = stage.R * 0.84
  const at = (u: number, v: number): Point => [x + u * R, y + v * R]
  return (
    polygon([at(-1, -0.45), at(-0.5, 0.12), at(-0.8, 0.62)], m[2]) +
    polygon([at(1, -0.45), at(0.5, 0.12), at(0.8, 0.62)], m[1]) +
    polygon([at(0, -0.85), at(-0.5, 0.12), at(0, 0.62)], m[4]) +
    polygon([at(0, -0.85), at(0.5, 0.12), at(0, 0.62)], m[2]) +
    polygon([at(-0.5, 0.12), at(0, 0.62), at(-0.8, 0.62)], m[3]) +
    polygon([at(0.5, 0.12), at(0, 0.62), at(0.8, 0.62)], m[1]) +
    polygon([at(-0.8, 0.7), at(0.8, 0.7), at(0.76, 0.95), at(-0.76, 0.95)], accent) +
    circle(x, y - R * 0.95, R * 0.12, accent) +
    circle(x - R, y - R * 0.55, R * 0.1, accent) +
    circle(x + R, y - R * 0.55, R * 0.1, accent)
  )
}

export const swords: Motif = (stage) => {
  const { x, y, m } = stage
  return rotated(sword(stage, m[3], m[1]), -36, x, y) + rotated(sword(stage, m[4], m[2]), 36, x, y)
}

function sword({ x, y, R, m, accent, accentDeep }: Stage, light: string, dark: string): string {
  const blade = (side: number): Point[] => [
    [x + side * R * 0.1, y + R * 0.45],
    [x + side * R * 0.1, y - R * 0.85],
    [x, y - R * 1.1],
    [x, y + R * 0.45],
  ]
  return (
    polygon(blade(-1), light) +
    polygon(blade(1), dark) +
    rect(x - R * 0.32, y + R * 0.42, R * 0.64, R * 0.12, accent, R * 0.06) +
    rect(x - R * 0.065, y + R * 0.54, R * 0.13, R * 0.36, m[0]) +
    circle(x, y + R * 0.96, R * 0.1, accentDeep)
  )
}
