import { z } from 'zod'
import type { Setting } from '#features/base/setting/rules.ts'
import { CORNERS, isReadable, pairsOf, paletteOf, RELEASE_THEME, type Theme } from './rules.ts'

/** What the form tells of a pair that cannot be read; the sentence for a terminal is its message. */
export const CONTRAST = 'contrast'

const colour = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^#[0-9a-f]{6}$/, 'must be a colour like #ffd21f')
  .max(7)
const palette = z
  .strictObject({
    accent: colour,
    on_accent: colour,
    links: colour,
    page: colour,
    panels: colour,
    text: colour,
  })
  .partial()

/** A theme by its form alone, as it is looked at before it can be kept. */
export const themeShape = z
  .strictObject({ light: palette, dark: palette, corners: z.enum(CORNERS).default('soft') })
  .partial()
  .transform(
    ({ light = {}, dark = {}, corners = RELEASE_THEME.corners }): Theme =>
      ({ light, dark, corners }) as Theme,
  )

/** The row `theme` of the table `setting`. A pair of colours that cannot be read is refused, at the colour that the owner chose. */
export const theme = themeShape.superRefine((given, ctx) => {
  for (const pair of pairsOf(given)) {
    if (isReadable(pair)) continue
    const { scheme, name, on, colour: one, other, ratio, least } = pair
    const chosen = paletteOf(given, scheme)
    const at = chosen[name] === undefined && on !== 'signals' ? on : name
    ctx.addIssue({
      code: 'custom',
      path: [scheme, at],
      params: { reason: CONTRAST, other: at === name ? other : one, ratio, least },
      message: `${name} ${one} and ${on} ${other} have a contrast of ${ratio}:1, at least ${least}:1 is needed`,
    })
  }
})

export const themeSetting: Setting<Theme> = {
  key: 'theme',
  summary: "The shop's colours, light and dark, and its corners.",
  schema: theme,
  fallback: RELEASE_THEME,
  example: {
    light: { accent: '#0b5fd8', on_accent: '#ffffff' },
    dark: { accent: '#86bcff', on_accent: '#0c1110' },
    corners: 'round',
  },
}
