/** Colours are mixed in OKLCH, where equal steps look equal, and written as #rrggbb. */

const linear = (v: number) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
const gamma = (v: number) => (v <= 0.0031308 ? v * 12.92 : 1.055 * v ** (1 / 2.4) - 0.055)

function linearRgb(hex: string): [number, number, number] {
  const channel = (at: number) => linear(parseInt(hex.slice(at, at + 2), 16) / 255)
  return [channel(1), channel(3), channel(5)]
}

/** OKLab of `#rrggbb`. */
function hexToLab(hex: string): [lightness: number, a: number, b: number] {
  const [r, g, b] = linearRgb(hex)
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ]
}

/** How far apart two colours look; lightness counts for less than hue, so that a dark red goes to red and not to brown. */
export function labDistance(one: string, other: string): number {
  const [p, q] = [hexToLab(one), hexToLab(other)]
  return Math.hypot((p[0] - q[0]) * 0.7, p[1] - q[1], p[2] - q[2])
}

/** OKLCH to `#rrggbb`; chroma gives way until the colour fits sRGB, so lightness (and contrast) holds. */
export function lchToHex(lightness: number, chroma: number, hue: number): string {
  for (let c = chroma; ; c -= 0.006) {
    const a = Math.max(c, 0) * Math.cos((hue * Math.PI) / 180)
    const b = Math.max(c, 0) * Math.sin((hue * Math.PI) / 180)
    const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
    const rgb = [
      4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
      -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
      -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
    ]
    if (c <= 0 || rgb.every((v) => v > -0.001 && v < 1.001))
      return `#${rgb.map(channelToHex).join('')}`
  }
}

function channelToHex(v: number): string {
  return Math.round(255 * gamma(Math.min(1, Math.max(0, v))))
    .toString(16)
    .padStart(2, '0')
}

/** Relative luminance, 0 to 1. */
export function luminance(hex: string): number {
  const [r, g, b] = linearRgb(hex)
  return r * 0.2126 + g * 0.7152 + b * 0.0722
}

/** WCAG contrast ratio of two colours, 1 to 21. */
export function contrast(one: string, other: string): number {
  const a = luminance(one)
  const b = luminance(other)
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

/** A mixture in sRGB, as ink over ink: `part` of the second. */
export function mix(one: string, other: string, part: number): string {
  const channel = (hex: string, at: number) => parseInt(hex.slice(at, at + 2), 16)
  return `#${[1, 3, 5]
    .map((at) =>
      Math.round(channel(one, at) * (1 - part) + channel(other, at) * part)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`
}
