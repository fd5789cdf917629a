/** SVG primitives. Coordinates carry one decimal: enough at any size, and it keeps a cover near 1 KB gzipped. */

export type Point = readonly [x: number, y: number]

export const TAU = Math.PI * 2

export const n1 = (v: number): number => +v.toFixed(1)

export function polygon(points: readonly Point[], fill: string): string {
  return `<path d="M${points.map((p) => `${n1(p[0])} ${n1(p[1])}`).join('L')}Z" fill="${fill}"/>`
}

export function circle(x: number, y: number, r: number, fill: string): string {
  return `<circle cx="${n1(x)}" cy="${n1(y)}" r="${n1(r)}" fill="${fill}"/>`
}

export function ring(
  x: number,
  y: number,
  r: number,
  stroke: string,
  width: number,
  more = '',
): string {
  return `<circle cx="${n1(x)}" cy="${n1(y)}" r="${n1(r)}" fill="none" stroke="${stroke}" stroke-width="${n1(width)}"${more}/>`
}

export function rect(x: number, y: number, w: number, h: number, fill: string, radius = 0): string {
  const rx = radius ? ` rx="${n1(radius)}"` : ''
  return `<rect x="${n1(x)}" y="${n1(y)}" width="${n1(w)}" height="${n1(h)}"${rx} fill="${fill}"/>`
}

export function path(d: string, fill: string): string {
  return `<path d="${d}" fill="${fill}"/>`
}

/** @param degrees clockwise about (x, y) */
export function rotated(svg: string, degrees: number, x: number, y: number): string {
  return `<g transform="rotate(${n1(degrees)} ${n1(x)} ${n1(y)})">${svg}</g>`
}

export function polar(x: number, y: number, r: number, radians: number): Point {
  return [x + r * Math.cos(radians), y + r * Math.sin(radians)]
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

export function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (c) => ENTITIES[c] ?? c)
}
