import { escapeHtml } from '#kernel/html.ts'
import type { Language } from '#kernel/language.ts'

/** One part of a mail, shown in HTML and as plain text alike. */
export type Block =
  | { readonly is: 'title'; readonly text: string }
  | { readonly is: 'text'; readonly text: string }
  /** Lines that belong together: when, where, with what. */
  | { readonly is: 'facts'; readonly lines: readonly string[] }
  | { readonly is: 'code'; readonly code: string }
  | { readonly is: 'button'; readonly label: string; readonly href: string }
  /** The address of the button above, for programs that show none; as plain text it stands there already. */
  | { readonly is: 'address'; readonly text: string; readonly href: string }
  | { readonly is: 'small'; readonly text: string }

export interface Frame {
  readonly language: Language
  readonly subject: string
  readonly shopName: string
  readonly publicUrl: string
  readonly blocks: readonly Block[]
  /** Why it was sent, where to ask, who the shop is. */
  readonly foot: readonly string[]
}

const FONT =
  "system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','Helvetica Neue',Arial,sans-serif"
const MONO = "ui-monospace,'SF Mono','Cascadia Mono',Menlo,Consolas,monospace"

/**
 * Styles stand in each element for programs that drop the rest; the sheet only turns the colours for dark screens. Nothing
 * is fetched from anywhere: no picture, no font, no address that tells who has read it.
 */
const DARK = [
  ':root{color-scheme:light dark;supported-color-schemes:light dark}',
  '@media (prefers-color-scheme:dark){',
  '.paper{background:#0c1110!important;color:#eef3f1!important}',
  '.card{background:#141a19!important;border-color:#2a3432!important}',
  '.quiet{color:#b4c0bc!important}',
  '.code{background:#0f1514!important;color:#eef3f1!important}',
  '.button{background:#eef3f1!important;color:#121a18!important}',
  '.link{color:#7cd0d6!important}',
  '.shop{color:#eef3f1!important}',
  '}',
].join('')

export function renderHtml(frame: Frame): string {
  const { language } = frame
  return [
    '<!DOCTYPE html>',
    `<html lang="${language.tag}" dir="${language.dir}">`,
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    '<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">',
    `<title>${escapeHtml(frame.subject)}</title>`,
    `<style>${DARK}</style>`,
    '</head>',
    `<body class="paper" style="margin:0;background:#f3f5f3;color:#121a18;font:16px/1.6 ${FONT}">`,
    '<div style="max-width:560px;margin:0 auto;padding:24px 16px">',
    `<p style="margin:0 0 16px;font-size:20px;font-weight:800"><a class="shop" href="${escapeHtml(frame.publicUrl)}" style="color:#121a18;text-decoration:none"><bdi>${escapeHtml(frame.shopName)}</bdi></a></p>`,
    '<div class="card" style="background:#fff;border:1px solid #d9dfdc;border-radius:12px;padding:24px 24px 8px">',
    ...frame.blocks.map(blockHtml),
    '</div>',
    ...frame.foot.map(
      (line) =>
        `<p class="quiet" style="margin:12px 0 0;font-size:13px;line-height:1.5;color:#5f6b68">${linked(line)}</p>`,
    ),
    '</div>',
    '</body>',
    '</html>',
    '',
  ].join('\n')
}

function blockHtml(block: Block): string {
  switch (block.is) {
    case 'title':
      return `<h1 style="margin:0 0 16px;font-size:24px;line-height:1.3;font-weight:800">${escapeHtml(block.text)}</h1>`
    case 'text':
      return `<p style="margin:0 0 16px">${escapeHtml(block.text)}</p>`
    case 'facts':
      return `<p class="quiet" style="margin:0 0 16px;color:#46524f">${block.lines.map((line) => `<bdi>${escapeHtml(line)}</bdi>`).join('<br>')}</p>`
    case 'code':
      return `<p class="code" dir="ltr" style="margin:0 0 16px;padding:16px;border-radius:12px;background:#eaeeeb;font:700 32px/1.2 ${MONO};letter-spacing:6px;text-align:center">${escapeHtml(block.code)}</p>`
    case 'button':
      return `<p style="margin:0 0 16px"><a class="button" href="${escapeHtml(block.href)}" style="display:inline-block;padding:12px 24px;border-radius:12px;background:#121a18;color:#fff;font-weight:600;text-decoration:none">${escapeHtml(block.label)}</a></p>`
    case 'address':
      return `<p class="quiet" style="margin:0 0 16px;font-size:13px;line-height:1.5;color:#5f6b68">${escapeHtml(block.text)}<br>${anchor(block.href)}</p>`
    case 'small':
      return `<p class="quiet" style="margin:0 0 16px;font-size:14px;color:#46524f">${escapeHtml(block.text)}</p>`
  }
}

/** Left to right also in a right-to-left mail, and broken anywhere: an address has no words. */
function anchor(href: string): string {
  const text = escapeHtml(href)
  return `<a class="link" href="${text}" dir="ltr" style="color:#0a5a63;overflow-wrap:anywhere;word-break:break-all">${text}</a>`
}

/** Only addresses of the shop itself are put into such a line. */
function linked(line: string): string {
  return line
    .split(/(https?:\/\/\S+)/)
    .map((part, index) => (index % 2 === 1 ? anchor(part) : escapeHtml(part)))
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
    case 'code':
      return block.code
    case 'button':
      return `${block.label}:\n${block.href}`
    default:
      return block.text
  }
}
