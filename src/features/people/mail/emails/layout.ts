import { escapeHtml } from '#kernel/html.ts'
import type { Language } from '#kernel/language.ts'
import { styleOf, type MailLook, type MailParts } from './styles.ts'

/** One part of a mail, shown in HTML and as plain text alike. */
export type Block =
  | { readonly is: 'title'; readonly text: string }
  | { readonly is: 'text'; readonly text: string }
  /** Lines that belong together: when, where, with what. */
  | { readonly is: 'facts'; readonly lines: readonly string[] }
  | { readonly is: 'goods'; readonly lines: readonly GoodsLine[]; readonly sums: readonly Sum[] }
  /** What needs somebody, the heaviest first. */
  | { readonly is: 'matters'; readonly lines: readonly MatterLine[] }
  | { readonly is: 'code'; readonly code: string }
  | { readonly is: 'button'; readonly label: string; readonly href: string }
  /** The address of the button above, for programs that show none; as plain text it stands there already. */
  | { readonly is: 'address'; readonly text: string; readonly href: string }
  | { readonly is: 'small'; readonly text: string }

export interface MatterLine {
  readonly what: string
  readonly since: string
}

export interface GoodsLine {
  readonly name: string
  /** "2 × 10 USD"; empty where the name says it. */
  readonly detail: string
  readonly amount: string
  /** What its cover goes along as; null for none. */
  readonly cid: string | null
}

export interface Sum {
  readonly label: string
  readonly value: string
  /** Both in one line of plain text. */
  readonly text: string
  readonly isStrong: boolean
}

export interface Frame {
  readonly language: Language
  readonly subject: string
  readonly shopName: string
  readonly look: MailLook
  /** What the lettering goes along as; null for a shop that has its name in type. */
  readonly logo: string | null
  readonly publicUrl: string
  /** What lists of mails show beside the subject; it stands in the mail as well. */
  readonly preview: string
  readonly blocks: readonly Block[]
  /** Why it was sent, where to ask, who the shop is. */
  readonly foot: readonly string[]
}

const LOGO = { width: 143, height: 28 }
const COVER = { width: 45, height: 60 }

/**
 * A page of tables, with styles in each element: programs that drop the sheet show it all the same. Pictures go along with the mail;
 * nothing is fetched from anywhere, no font, no address that tells who has read it.
 */
export function renderHtml(frame: Frame): string {
  const { language } = frame
  const { parts, sheet } = frame.look
  return [
    '<!DOCTYPE html>',
    `<html lang="${language.tag}" dir="${language.dir}">`,
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    '<meta name="supported-color-schemes" content="light dark">',
    '<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">',
    `<title>${escapeHtml(frame.subject)}</title>`,
    `<style>${sheet}</style>`,
    '</head>',
    `<body class="paper" style="${parts.body}">`,
    `<div style="${parts.preview}">${escapeHtml(frame.preview)}</div>`,
    // Programs that take `html` and `body` away leave this one.
    `<table role="presentation" class="paper" lang="${language.tag}" dir="${language.dir}" style="${parts.paper}"><tr><td align="center" style="padding:24px 12px">`,
    `<table role="presentation" class="sheet" style="${parts.sheet}">`,
    `<tr><td class="side head" style="${parts.head}">${logoHtml(frame)}</td></tr>`,
    `<tr><td class="side card" style="${parts.card}">`,
    ...frame.blocks.map((block) => blockHtml(block, language, parts)),
    '</td></tr>',
    `<tr><td class="side card line" style="${parts.foot}">`,
    ...frame.foot.map(
      (line) => `<p class="quiet" style="${parts.footLine}">${linked(line, parts)}</p>`,
    ),
    '</td></tr>',
    '</table>',
    '</td></tr></table>',
    '</body>',
    '</html>',
    '',
  ].join('\n')
}

function logoHtml({ logo, shopName, publicUrl, look: { parts } }: Frame): string {
  const name = escapeHtml(shopName)
  const inside =
    logo === null
      ? `<bdi>${name}</bdi>`
      : `<img src="cid:${logo}" width="${LOGO.width}" height="${LOGO.height}" alt="${name}" style="${parts.logo}">`
  return `<a class="shop" href="${escapeHtml(publicUrl)}" style="${parts.shop}">${inside}</a>`
}

function blockHtml(block: Block, language: Language, parts: MailParts): string {
  switch (block.is) {
    case 'title':
      return `<h1 class="ink title" style="${parts.title}">${escapeHtml(block.text)}</h1>`
    case 'text':
      return `<p class="quiet" style="${parts.text}">${escapeHtml(block.text)}</p>`
    case 'facts':
      return `<div class="box quiet" style="${parts.facts}">${block.lines.map((line) => `<bdi>${escapeHtml(line)}</bdi>`).join('<br>')}</div>`
    case 'goods':
      return goodsHtml(block, language, parts)
    case 'matters':
      return goodsHtml({ lines: block.lines.map(asGoods), sums: [] }, language, parts)
    case 'code':
      return `<p class="box ink" dir="ltr" style="${parts.code}">${escapeHtml(block.code)}</p>`
    case 'button':
      return `<table role="presentation" style="${parts.buttonPlace}"><tr><td class="button" style="${parts.button}"><a class="label" href="${escapeHtml(block.href)}" style="${parts.label}">${escapeHtml(block.label)}</a></td></tr></table>`
    case 'address':
      return `<p class="quiet" style="${parts.address}">${escapeHtml(block.text)}<br>${anchor(block.href, parts)}</p>`
    case 'small':
      return `<p class="quiet" style="${parts.small}">${escapeHtml(block.text)}</p>`
  }
}

const asGoods = ({ what, since }: MatterLine): GoodsLine => ({
  name: what,
  detail: since,
  amount: '',
  cid: null,
})

/** What was bought, as in the order: cover, name, amount; then the sums. */
function goodsHtml(
  { lines, sums }: Pick<Extract<Block, { readonly is: 'goods' }>, 'lines' | 'sums'>,
  { dir }: Language,
  parts: MailParts,
): string {
  const end = dir === 'rtl' ? 'left' : 'right'
  const hasCovers = lines.some(({ cid }) => cid !== null)
  const rows = lines.map(({ name, detail, amount, cid }) =>
    [
      '<tr>',
      hasCovers ? `<td class="line" style="${parts.coverCell}">${coverHtml(cid, parts)}</td>` : '',
      `<td class="line" style="${styleOf(parts, 'lineCell', `padding-${end}:12px`)}"><b class="ink" style="${parts.ink}"><bdi>${escapeHtml(name)}</bdi></b>`,
      detail === '' ? '' : `<br><bdi class="quiet">${escapeHtml(detail)}</bdi>`,
      `</td><td class="line ink" align="${end}" style="${parts.amountCell}"><bdi>${escapeHtml(amount)}</bdi></td></tr>`,
    ].join(''),
  )
  const totals = sums.map(({ label, value, isStrong }) => {
    const style = parts[isStrong ? 'total' : 'sum']
    const tone = isStrong ? 'ink' : 'quiet'
    return `<tr><td class="${tone}" colspan="${hasCovers ? 2 : 1}" style="${style}">${escapeHtml(label)}</td><td class="ink" align="${end}" style="${styleOf(parts, isStrong ? 'total' : 'sum', 'white-space:nowrap')}"><bdi>${escapeHtml(value)}</bdi></td></tr>`
  })
  return `<table role="presentation" style="${parts.goods}">${[...rows, ...totals].join('')}</table>`
}

function coverHtml(cid: string | null, parts: MailParts): string {
  return cid === null
    ? ''
    : `<img src="cid:${cid}" width="${COVER.width}" height="${COVER.height}" alt="" style="${parts.cover}">`
}

/** Left to right also in a right-to-left mail, and broken anywhere: an address has no words. */
function anchor(href: string, parts: MailParts): string {
  const text = escapeHtml(href)
  return `<a class="link" href="${text}" dir="ltr" style="${parts.link}">${text}</a>`
}

/** Only addresses of the shop itself are put into such a line. */
function linked(line: string, parts: MailParts): string {
  return line
    .split(/(https?:\/\/\S+)/)
    .map((part, index) => (index % 2 === 1 ? anchor(part, parts) : escapeHtml(part)))
    .join('')
}

export function renderText(frame: Frame): string {
  const blocks = frame.blocks.filter(({ is }) => is !== 'address')
  return `${[frame.shopName, ...blocks.map(blockText), '—', frame.foot.join('\n')].join('\n\n')}\n`
}

function blockText(block: Block): string {
  switch (block.is) {
    case 'facts':
      return block.lines.join('\n')
    case 'matters':
      return block.lines.map(({ what, since }) => `${what}\n${since}`).join('\n')
    case 'goods':
      return [
        ...block.lines.map(({ name, detail, amount }) =>
          [name, detail, amount].filter((part) => part !== '').join('\n'),
        ),
        block.sums.map(({ text }) => text).join('\n'),
      ]
        .filter((part) => part !== '')
        .join('\n\n')
    case 'code':
      return block.code
    case 'button':
      return `${block.label}:\n${block.href}`
    default:
      return block.text
  }
}
