import { Fragment, type ReactNode } from 'react'
import type { MessageKey } from '#platform/i18n/keys.ts'
import type { Words } from '../i18n.tsx'

/** Stand around a part's name in the message, and in no text of the shop. */
const OPEN = '\u{2068}'
const CLOSE = '\u{2069}'

/** A message whose placeholders are elements: links within a sentence stay where each language puts them. */
export function withParts(
  t: Words['t'],
  key: MessageKey,
  parts: Readonly<Record<string, ReactNode>>,
): ReactNode {
  const marked = Object.fromEntries(
    Object.keys(parts).map((name) => [name, `${OPEN}${name}${CLOSE}`]),
  )
  return t(key, marked)
    .split(new RegExp(`${OPEN}|${CLOSE}`, 'u'))
    .map((text, index) => <Fragment key={index}>{index % 2 === 1 ? parts[text] : text}</Fragment>)
}
