import { pick } from './chance.ts'
import { contrast, hexToLch, lchToHex } from './colour.ts'

/** Three grounds, so that neighbours of one hue still differ. */
export type Ground = 'deep' | 'solid' | 'pale'

export type Palette = {
  ground: Ground
  background: string
  /** The quiet pattern on the background. */
  pattern: string
  /** Five tones of the brand's hue, darkest first: what motifs are built from. */
  tones: readonly [string, string, string, string, string]
  accent: string
  accentDeep: string
  /** Lettering: at least 4.5:1 on `background`. */
  ink: string
  soft: string
  /** Dark plate under white small print. */
  panel: string
}

/** A tone of the brand's hue: lightness, share of the brand's chroma. */
type Tone = (lightness: number, share?: number) => string

type Shades = Omit<Palette, 'ground' | 'accent' | 'accentDeep'>

/** @param color `#rrggbb` of the brand; without it the hash chooses a hue. */
export function palette(color: string | undefined, h: number): Palette {
  const base = hexToLch(color || lchToHex(0.6, 0.17, h % 360))
  const neutral = base[1] < 0.035
  const hue = neutral ? 250 : base[2]
  const chroma = neutral ? 0.012 : Math.min(0.21, Math.max(0.09, base[1]))
  const tone: Tone = (lightness, share = 1) => lchToHex(lightness, chroma * share, hue)
  const ground = chooseGround(base[0], chroma, hue, neutral, h)
  const shades = { deep: deepShades, solid: solidShades, pale: paleShades }[ground](
    tone,
    hue,
    base[0],
  )
  return { ground, ...accents(hue, neutral, h), ...shades }
}

function accents(hue: number, neutral: boolean, h: number): Pick<Palette, 'accent' | 'accentDeep'> {
  const turn = pick([38, -38, 62, -62, 150, 180, 205], h >>> 5)
  const accentHue = neutral ? pick([85, 25, 150, 205, 45], h >>> 5) : (hue + turn + 360) % 360
  const warmLight = accentHue > 60 && accentHue < 130
  return {
    accent: lchToHex(warmLight ? 0.86 : 0.76, 0.16, accentHue),
    accentDeep: lchToHex(warmLight ? 0.72 : 0.6, 0.16, accentHue),
  }
}

const isSunny = (hue: number) => hue > 68 && hue < 118
const isWarm = (hue: number) => hue > 45 && hue <= 68

function chooseGround(
  lightness: number,
  chroma: number,
  hue: number,
  neutral: boolean,
  h: number,
): Ground {
  const ground = pick<Ground>(['deep', 'solid', 'deep', 'solid', 'pale', 'solid'], h >>> 9)
  // Dark yellow and orange turn to mud: mostly keep them bright.
  const muddy =
    (isSunny(hue) || isWarm(hue)) && chroma > 0.1 && ground === 'deep' && (h >>> 13) % 3 !== 0
  if (neutral && ground === 'solid') return lightness > 0.6 ? 'pale' : 'deep'
  return muddy ? 'solid' : ground
}

function deepShades(t: Tone): Shades {
  return {
    background: t(0.27, 0.62),
    pattern: t(0.325, 0.7),
    tones: [t(0.2, 0.5), t(0.42, 0.9), t(0.56, 1), t(0.7, 1), t(0.86, 0.6)],
    ink: t(0.975, 0.1),
    soft: t(0.82, 0.5),
    panel: t(0.2, 0.5),
  }
}

function solidShades(t: Tone, hue: number, brandLightness: number): Shades {
  const L = solidLightness(t, hue, brandLightness)
  const background = t(L, 1.05)
  const white = t(0.985, 0.06)
  const ink = contrast(white, background) >= 4.5 ? white : t(0.2, 0.5)
  return {
    background,
    pattern: t(L - 0.055, 1.05),
    tones:
      L > 0.7
        ? [t(0.27, 0.6), t(0.46, 0.9), t(0.62, 1), t(L + 0.07, 0.6), t(0.98, 0.2)]
        : [t(0.27, 0.7), t(L - 0.13, 1), t(L + 0.1, 0.95), t(L + 0.21, 0.75), t(0.95, 0.22)],
    ink,
    soft: ink,
    panel: t(0.24, 0.6),
  }
}

/** The brand's own lightness as far as white lettering still reads on it; yellow and orange carry dark lettering. */
function solidLightness(t: Tone, hue: number, brandLightness: number): number {
  if (isSunny(hue) && brandLightness > 0.66) return 0.84
  if (isWarm(hue) && brandLightness > 0.66) return 0.76
  const white = t(0.985, 0.06)
  const reads = (L: number) => contrast(white, t(L, 1.05)) >= 4.6
  const limit = Math.max(0.46, brandLightness) + 0.001
  return (
    [0.6, 0.58, 0.56, 0.54, 0.52, 0.5, 0.48, 0.46, 0.44].find((L) => L <= limit && reads(L)) ?? 0.44
  )
}

function paleShades(t: Tone): Shades {
  return {
    background: t(0.93, 0.28),
    pattern: t(0.885, 0.4),
    tones: [t(0.3, 0.8), t(0.46, 1), t(0.6, 1.05), t(0.73, 0.9), t(0.985, 0.08)],
    ink: t(0.26, 0.7),
    soft: t(0.42, 0.8),
    panel: t(0.26, 0.7),
  }
}
