const FONT =
  "-apple-system,system-ui,'Segoe UI',Roboto,'Noto Sans','Helvetica Neue',Arial,sans-serif"
const MONO = "ui-monospace,'SF Mono','Cascadia Mono',Menlo,Consolas,monospace"

const INK = '#121a18'
const QUIET = '#46524f'
const LINE = '#d9dfdc'

/** The look of each part, as it stands in the element: colours are those of the shop's pages. */
export const PARTS = {
  body: `margin:0;padding:0;background:#f3f5f3;color:${INK};font-family:${FONT}`,
  preview: 'display:none;max-height:0;overflow:hidden',
  paper: `width:100%;border-collapse:collapse;background:#f3f5f3;font-family:${FONT}`,
  sheet: 'width:600px;max-width:100%;border-collapse:separate;border-spacing:0;text-align:start',
  head: `background:${INK};border-radius:16px 16px 0 0;padding:20px 32px`,
  shop: 'color:#ffffff;font-size:22px;line-height:28px;font-weight:800;text-decoration:none',
  logo: 'display:block;border:0;color:#ffffff',
  card: `background:#ffffff;color:${INK};padding:32px 32px 12px;font-size:16px;line-height:1.55`,
  foot: `background:#ffffff;border-top:1px solid ${LINE};border-radius:0 0 16px 16px;padding:14px 32px 20px`,
  footLine: `margin:6px 0 0;font-size:13px;line-height:1.55;color:${QUIET}`,
  title: `margin:0 0 12px;font-size:28px;line-height:1.25;font-weight:800;color:${INK}`,
  text: `margin:0 0 20px;color:${QUIET}`,
  facts: `margin:0 0 20px;padding:14px 16px;border:1px solid ${LINE};border-radius:12px;background:#f3f5f3;color:${QUIET};font-size:15px`,
  code: `margin:0 0 20px;padding:20px 12px;border:1px solid ${LINE};border-radius:12px;background:#eaeeeb;color:${INK};font:700 36px/44px ${MONO};letter-spacing:6px;text-align:center`,
  buttonPlace: 'margin:4px 0 24px;border-collapse:separate',
  button: `background:${INK};border-radius:12px`,
  label:
    'display:inline-block;padding:14px 28px;color:#ffffff;font-size:17px;line-height:22px;font-weight:700;text-decoration:none',
  address: `margin:0 0 20px;font-size:13px;line-height:1.55;color:${QUIET}`,
  small: `margin:0 0 20px;font-size:14px;line-height:1.55;color:${QUIET}`,
  link: 'color:#0a5a63;overflow-wrap:anywhere',
  goods: `width:100%;margin:0 0 20px;border-collapse:collapse;font-size:15px;line-height:1.5;color:${QUIET}`,
  coverCell: `width:57px;padding:14px 0;border-bottom:1px solid ${LINE};vertical-align:top`,
  cover: 'display:block;border:0;border-radius:4px',
  lineCell: `padding:14px 0;border-bottom:1px solid ${LINE};vertical-align:top`,
  amountCell: `padding:14px 0;border-bottom:1px solid ${LINE};vertical-align:top;font-weight:700;color:${INK};white-space:nowrap`,
  ink: `color:${INK}`,
  sum: 'padding:10px 0 0',
  total: `padding:10px 0 0;font-size:18px;font-weight:800;color:${INK}`,
} as const

export function styleOf(part: keyof typeof PARTS, more: string): string {
  return `${PARTS[part]};${more}`
}

/** Colours of dark screens, by what programs follow: the media query, or the mark that Outlook puts on what it turned. */
const DARK: Readonly<Record<string, string>> = {
  '.paper': 'background:#0c1110!important',
  '.card': 'background:#141a19!important;color:#eef3f1!important',
  '.ink': 'color:#eef3f1!important',
  '.quiet': 'color:#b4c0bc!important',
  '.line': 'border-color:#2a3432!important',
  '.box': 'background:#0f1514!important;border-color:#2a3432!important',
  '.button': 'background:#eef3f1!important',
  '.label': `color:${INK}!important`,
  '.link': 'color:#7cd0d6!important',
}

/** For what no element can say of itself: narrow screens, and dark ones. */
export const STYLE_SHEET = [
  ':root{color-scheme:light dark;supported-color-schemes:light dark}',
  '@media (max-width:620px){.side{padding-left:20px!important;padding-right:20px!important}.title{font-size:24px!important}}',
  `@media (prefers-color-scheme:dark){${rulesFor('')}}`,
  rulesFor('[data-ogsc] '),
].join('')

function rulesFor(within: string): string {
  return Object.entries(DARK)
    .map(([selector, style]) => `${within}${selector}{${style}}`)
    .join('')
}
