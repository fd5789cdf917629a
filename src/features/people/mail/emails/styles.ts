import {
  paletteOf,
  tokensOf,
  type Scheme,
  type Theme,
  type Tokens,
} from '#features/base/theme/rules.ts'

const FONT =
  "-apple-system,system-ui,'Segoe UI',Roboto,'Noto Sans','Helvetica Neue',Arial,sans-serif"
const MONO = "ui-monospace,'SF Mono','Cascadia Mono',Menlo,Consolas,monospace"

/** What stands out: the head of a mail, and its button. */
interface Loud {
  readonly ground: string
  readonly words: string
}

/** The main colour where the owner chose one; else ink, as the release has it. */
function loudOf(theme: Theme, scheme: Scheme, tokens: Tokens): Loud {
  return paletteOf(theme, scheme).accent === undefined
    ? { ground: tokens.ink, words: tokens.surface }
    : { ground: tokens.tag, words: tokens['on-tag'] }
}

const CORNERS: Readonly<Record<Theme['corners'], readonly [outer: number, inner: number]>> = {
  square: [0, 0],
  soft: [16, 12],
  round: [24, 20],
}

/** The look of each part, as it stands in the element: colours are those of the shop's pages. */
function partsOf(theme: Theme, light: Tokens) {
  const head = loudOf(theme, 'light', light)
  const [outer, inner] = CORNERS[theme.corners]
  return {
    body: `margin:0;padding:0;background:${light.paper};color:${light.ink};font-family:${FONT}`,
    preview: 'display:none;max-height:0;overflow:hidden',
    paper: `width:100%;border-collapse:collapse;background:${light.paper};font-family:${FONT}`,
    sheet: 'width:600px;max-width:100%;border-collapse:separate;border-spacing:0;text-align:start',
    head: `background:${head.ground};border-radius:${outer}px ${outer}px 0 0;padding:20px 32px`,
    shop: `color:${head.words};font-size:22px;line-height:28px;font-weight:800;text-decoration:none`,
    logo: `display:block;border:0;color:${head.words}`,
    card: `background:${light.surface};color:${light.ink};padding:32px 32px 12px;font-size:16px;line-height:1.55`,
    foot: `background:${light.surface};border-top:1px solid ${light.line};border-radius:0 0 ${outer}px ${outer}px;padding:14px 32px 20px`,
    footLine: `margin:6px 0 0;font-size:13px;line-height:1.55;color:${light['ink-2']}`,
    title: `margin:0 0 12px;font-size:28px;line-height:1.25;font-weight:800;color:${light.ink}`,
    text: `margin:0 0 20px;color:${light['ink-2']}`,
    facts: `margin:0 0 20px;padding:14px 16px;border:1px solid ${light.line};border-radius:${inner}px;background:${light.paper};color:${light['ink-2']};font-size:15px`,
    code: `margin:0 0 20px;padding:20px 12px;border:1px solid ${light.line};border-radius:${inner}px;background:${light.sunken};color:${light.ink};font:700 36px/44px ${MONO};letter-spacing:6px;text-align:center`,
    buttonPlace: 'margin:4px 0 24px;border-collapse:separate',
    button: `background:${head.ground};border-radius:${inner}px`,
    label: `display:inline-block;padding:14px 28px;color:${head.words};font-size:17px;line-height:22px;font-weight:700;text-decoration:none`,
    address: `margin:0 0 20px;font-size:13px;line-height:1.55;color:${light['ink-2']}`,
    small: `margin:0 0 20px;font-size:14px;line-height:1.55;color:${light['ink-2']}`,
    link: `color:${light.link};overflow-wrap:anywhere`,
    goods: `width:100%;margin:0 0 20px;border-collapse:collapse;font-size:15px;line-height:1.5;color:${light['ink-2']}`,
    coverCell: `width:57px;padding:14px 0;border-bottom:1px solid ${light.line};vertical-align:top`,
    cover: 'display:block;border:0;border-radius:4px',
    lineCell: `padding:14px 0;border-bottom:1px solid ${light.line};vertical-align:top`,
    amountCell: `padding:14px 0;border-bottom:1px solid ${light.line};vertical-align:top;font-weight:700;color:${light.ink};white-space:nowrap`,
    ink: `color:${light.ink}`,
    sum: 'padding:10px 0 0',
    total: `padding:10px 0 0;font-size:18px;font-weight:800;color:${light.ink}`,
  } as const
}

export type MailParts = ReturnType<typeof partsOf>

/** How mails of a theme look. */
export interface MailLook {
  readonly parts: MailParts
  readonly sheet: string
  /** The lettering is white on the release's ink. */
  readonly hasReleaseHead: boolean
}

const known = new WeakMap<Theme, MailLook>()

export function mailLookOf(theme: Theme): MailLook {
  const found = known.get(theme)
  if (found) return found
  const [light, dark] = [tokensOf(theme, 'light'), tokensOf(theme, 'dark')]
  const { accent, text, panels } = theme.light
  const look = {
    parts: partsOf(theme, light),
    sheet: sheetOf(darkOf(theme, dark)),
    hasReleaseHead: accent === undefined && text === undefined && panels === undefined,
  }
  known.set(theme, look)
  return look
}

export function styleOf(parts: MailParts, part: keyof MailParts, more: string): string {
  return `${parts[part]};${more}`
}

/** Colours of dark screens, by what programs follow: the media query, or the mark that Outlook puts on what it turned. */
function darkOf(theme: Theme, dark: Tokens): Readonly<Record<string, string>> {
  const loud = loudOf(theme, 'dark', dark)
  const hasAccent = paletteOf(theme, 'dark').accent !== undefined
  return {
    '.paper': `background:${dark.paper}!important`,
    '.card': `background:${dark.surface}!important;color:${dark.ink}!important`,
    '.ink': `color:${dark.ink}!important`,
    '.quiet': `color:${dark['ink-2']}!important`,
    '.line': `border-color:${dark.line}!important`,
    '.box': `background:${dark.sunken}!important;border-color:${dark.line}!important`,
    '.button': `background:${loud.ground}!important`,
    '.label': `color:${loud.words}!important`,
    '.link': `color:${dark.link}!important`,
    ...(hasAccent
      ? {
          '.head': `background:${loud.ground}!important`,
          '.shop': `color:${loud.words}!important`,
        }
      : {}),
  }
}

/** For what no element can say of itself: narrow screens, and dark ones. */
function sheetOf(dark: Readonly<Record<string, string>>): string {
  return [
    ':root{color-scheme:light dark;supported-color-schemes:light dark}',
    '@media (max-width:620px){.side{padding-left:20px!important;padding-right:20px!important}.title{font-size:24px!important}}',
    `@media (prefers-color-scheme:dark){${rulesFor('', dark)}}`,
    rulesFor('[data-ogsc] ', dark),
  ].join('')
}

function rulesFor(within: string, dark: Readonly<Record<string, string>>): string {
  return Object.entries(dark)
    .map(([selector, style]) => `${within}${selector}{${style}}`)
    .join('')
}
