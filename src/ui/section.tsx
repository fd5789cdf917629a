import type { ComponentProps, ReactNode } from 'react'
import { joined } from './class-names.ts'
import { Icon } from './icon.tsx'
import css from './section.module.css'

export interface MoreLink {
  href: string
  text: string
  /** Unique in the page. The link is then called by its text and the title ("See all Gift cards"), where the text alone says too little. */
  id?: string | undefined
}

export interface SectionHeaderProps {
  title: ReactNode
  /** Sentence under the title. */
  note?: ReactNode
  more?: MoreLink | undefined
  /** In its place: a control. */
  aside?: ReactNode
  /** 1 for the title of a page. */
  level?: 1 | 2 | 3 | undefined
}

export function SectionHeader({ title, note, more, aside, level = 2 }: SectionHeaderProps) {
  const Heading = `h${level}` as const
  return (
    <div className={css.head}>
      <div>
        <Heading id={titleId(more?.id)}>{title}</Heading>
        {note === undefined ? null : <p>{note}</p>}
      </div>
      {more === undefined ? aside : <More {...more} />}
    </div>
  )
}

/** Bold link with an arrow head, to the rest of a list. */
export function More({ href, text, id }: MoreLink) {
  return (
    <a
      className={css.more}
      href={href}
      id={id}
      aria-labelledby={id === undefined ? undefined : `${id} ${titleId(id)}`}
    >
      {text}
      <Icon name="right" />
    </a>
  )
}

function titleId(moreId: string | undefined): string | undefined {
  return moreId === undefined ? undefined : `${moreId}-title`
}

/** Part of a page with room above it; `tight`: less, right under the opening. */
export function Section({
  tight,
  className,
  ...rest
}: { tight?: boolean | undefined } & ComponentProps<'section'>) {
  return <section className={joined(css.sec, tight ? css.tight : undefined, className)} {...rest} />
}
