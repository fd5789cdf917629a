import type { ReactNode } from 'react'
import { foreign } from './foreign.ts'
import { Icon } from './icon.tsx'
import type { IconName } from './icon-paths.ts'
import { Panel } from './panel.tsx'
import css from './ways.module.css'

/** Cards of equal weight, side by side where there is room: four on a desktop, three where they say more (`few`). */
export function Ways({
  few = false,
  children,
}: {
  readonly few?: boolean
  readonly children: ReactNode
}) {
  return <div className={few ? `${css.ways} ${css.few}` : css.ways}>{children}</div>
}

/** What it is in a line and a sentence, and the way there. */
export function Way({
  icon,
  title,
  level = 2,
  text,
  lang,
  children,
}: {
  readonly icon?: IconName
  readonly title: ReactNode
  readonly level?: 2 | 3
  readonly text: ReactNode
  /** Language of title and text where it differs from the page's. */
  readonly lang?: string | undefined
  readonly children?: ReactNode
}) {
  const Heading = `h${level}` as const
  return (
    <Panel className={css.way} {...foreign(lang)}>
      {icon === undefined ? null : <Icon name={icon} />}
      <Heading>{title}</Heading>
      <p>{text}</p>
      {children === undefined ? null : <div className={css.on}>{children}</div>}
    </Panel>
  )
}
