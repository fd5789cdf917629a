import type { ReactNode } from 'react'
import { foreign } from './foreign.ts'
import css from './news.module.css'
import { Picture, type ImageSource } from './picture.tsx'

export interface NewsCardProps {
  href: string
  image: ImageSource
  /** What it is about, before the date. */
  category?: string | undefined
  date: string
  title: string
  /** Language of the title where it differs from the page's. */
  lang?: string | undefined
  /** Of the title in the page. 3 unless said otherwise. */
  level?: 2 | 3 | undefined
  target?: '_blank' | undefined
}

export function NewsCard({
  href,
  image,
  category,
  date,
  title,
  lang,
  level = 3,
  target,
}: NewsCardProps) {
  const Heading = `h${level}` as const
  return (
    <a className={css.card} href={href} target={target}>
      <Picture {...image} alt="" ratio="wide" />
      <Kicker category={category} date={date} />
      <Heading>
        <span {...foreign(lang)}>{title}</span>
      </Heading>
    </a>
  )
}

/** The card of the newest article: wide, the picture beside title and first words. */
export function LeadCard({
  href,
  image,
  category,
  date,
  title,
  text,
  lang,
  level = 2,
}: NewsCardProps & { readonly text: string }) {
  const Heading = `h${level}` as const
  return (
    <a className={css.lead} href={href}>
      <Picture {...image} alt="" ratio="wide" lazy={false} priority="high" />
      <div className={css.words}>
        <Kicker category={category} date={date} />
        <Heading>
          <span {...foreign(lang)}>{title}</span>
        </Heading>
        {text === '' ? null : (
          <span className="muted" {...foreign(lang)}>
            {text}
          </span>
        )}
      </div>
    </a>
  )
}

function Kicker({ category, date }: Pick<NewsCardProps, 'category' | 'date'>) {
  return (
    <span className={css.kicker}>
      {category === undefined ? null : (
        <>
          <b>{category}</b>
          {' · '}
        </>
      )}
      {date}
    </span>
  )
}

/** Cards of equal width, as many a row as fit at 18 rem. */
export function CardGrid({ children }: { children: ReactNode }) {
  return <div className={css.grid}>{children}</div>
}
