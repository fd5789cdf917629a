import type { ReactNode } from 'react'
import { useT } from '../words.tsx'

/** One thing that happened, in words. */
export interface StoryLine {
  readonly at: string
  readonly text: string
  /** How it is marked: who did it, or how it went. */
  readonly mark: 'ok' | 'bad' | 'warn' | 'me2' | ''
  /** Who of the shop did it. */
  readonly by: string | null
}

/** What happened, in the order that it is given in; `children` stand above it. */
export function Story({
  lines,
  children,
}: {
  readonly lines: readonly StoryLine[]
  readonly children?: ReactNode
}) {
  const t = useT()
  return (
    <section className="panel flush">
      <div className="panel-h">
        <h2>{t('console.order.story')}</h2>
      </div>
      {children}
      <div className="line-t">
        <ol className="story">
          {lines.map(({ at, text, mark, by }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line has no name of its own
            <li key={index} className={mark}>
              <time>{at}</time>
              <span className="d" />
              <div>
                <p>
                  <bdi>{text}</bdi>
                  {by !== null && <small> {t('console.order.by', { name: by })}</small>}
                </p>
              </div>
            </li>
          ))}
        </ol>
      </div>
    </section>
  )
}
