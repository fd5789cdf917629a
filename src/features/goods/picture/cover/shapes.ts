/** SVG primitives. Coordinates carry one decimal: enough at any size, and it keeps a cover near 1 KB gzipped. */

export const n1 = (v: number): number => +v.toFixed(1)

export function path(d: string, fill: string): string {
  return `<path d="${d}" fill="${fill}"/>`
}

export function circle(x: number, y: number, r: number, fill: string): string {
  return `<circle cx="${n1(x)}" cy="${n1(y)}" r="${n1(r)}" fill="${fill}"/>`
}

export function rect(x: number, y: number, w: number, h: number, fill: string, radius = 0): string {
  const rx = radius ? ` rx="${n1(radius)}"` : ''
  return `<rect x="${n1(x)}" y="${n1(y)}" width="${n1(w)}" height="${n1(h)}"${rx} fill="${fill}"/>`
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

export function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (c) => ENTITIES[c] ?? c)
}
