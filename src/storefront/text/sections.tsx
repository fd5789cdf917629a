import { Fragment, type ReactNode } from 'react'
import { Prose } from '#ui/prose.tsx'
import { useT } from '../i18n.tsx'
import type { TextSection } from './article.ts'

const MAIL = /([A-Za-z0-9.+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*)/

/** Running text; English in a page of another language keeps its own direction. */
export function TextSections({
  sections,
  lang,
  withAnchors = false,
}: {
  readonly sections: readonly TextSection[]
  readonly lang?: 'en' | undefined
  /** Headings can be led to by `#s0`, `#s1` … */
  readonly withAnchors?: boolean
}) {
  if (sections.length === 0) return null
  return (
    <Prose lang={lang} dir={lang === undefined ? undefined : 'ltr'}>
      {sections.flatMap((section, index) => [
        section.heading === undefined ? null : (
          <h2 key={`h${index}`} id={withAnchors ? `s${index}` : undefined}>
            {section.heading}
          </h2>
        ),
        ...section.paragraphs.map((paragraph, at) => (
          <p key={`${index}-${at}`}>{withMailLinks(paragraph)}</p>
        )),
      ])}
    </Prose>
  )
}

/** The paragraphs of a section as lines of one. */
export function paragraphs({ paragraphs: told }: TextSection): ReactNode {
  return told.flatMap((paragraph, at) => [
    at === 0 ? null : <br key={`b${at}`} />,
    <Fragment key={at}>{withMailLinks(paragraph)}</Fragment>,
  ])
}

/** Says why a text is not in the page's language. */
export function EnglishOnly({ lang }: { readonly lang?: 'en' | undefined }) {
  const t = useT()
  return lang === undefined ? null : <p className="small muted">{t('content.englishOnly')}</p>
}

function withMailLinks(text: string): ReactNode {
  // A split by one group gives text and addresses in turn.
  return text.split(MAIL).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <a key={index} href={`mailto:${part}`}>
        {part}
      </a>
    ),
  )
}
