import { writeBrowserCookie } from './browser-cookies.ts'

/** How the shop looks: `system` follows the device. */
export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

const MAX_AGE_SECONDS = 31_536_000

/** The look this page has now, as the boot script read it from the cookie. */
export function currentTheme(): Theme {
  return THEMES.find((theme) => theme === document.documentElement.dataset['theme']) ?? 'system'
}

/** Applies a look at once and keeps it for later visits. */
export function chooseTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
  const age = theme === 'system' ? 0 : MAX_AGE_SECONDS
  writeBrowserCookie('theme', theme, age)
}
