/** The colours that browsers draw around the page, as `--surface` in `ui/tokens.css` has them. */
export const THEME_COLOR = { light: '#ffffff', dark: '#141a19' } as const
