import type { ReactNode } from 'react'
import css from './news.module.css'
import { Picture, type ImageSource } from './picture.tsx'

export interface NewsCardProps {
  href: string
  image: ImageSource
  date: string
  title: string
  /** Language of the title where it differs from the page's. */
  lang?: string | undefined
  /** Of the title in the page. 3 unless said otherwise. */
  level?: 2 | 3 | undefined
  target?: '_blank' | undefined
}

export function NewsCard({ href, image, date, title, lang, level = 3, target }: NewsCardProps) {
  const Heading = `h${level}` as const
  return (
    <a className={css.card} href={href} target={target}>
      <Picture {...image} alt="" ratio="wide" />
      <span>{date}</span>
      <Heading>
        <bdi lang={lang}>{title}</bdi>
      </Heading>
    </a>
  )
}

/** Cards of equal width, as many a row as fit at 18 rem. */
export function CardGrid({ children }: { children: ReactNode }) {
  return <div className={css.grid}>{children}</div>
}
