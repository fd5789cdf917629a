import type { ReactNode } from 'react'
import { foreign } from './foreign.ts'
import css from './opening.module.css'

/** Opening of a page of the house: what it is and the first way on, beside a scene. */
export function Opening({
  title,
  lead,
  lang,
  actions,
  scene,
  children,
}: {
  readonly title: string
  readonly lead?: ReactNode
  /** Language of the lead where it differs from the page's. */
  readonly lang?: string | undefined
  readonly actions?: ReactNode
  /** Usually a `RackScene`. */
  readonly scene: ReactNode
  /** Small facts under the actions. */
  readonly children?: ReactNode
}) {
  return (
    <div className={css.opening}>
      <div className="stack">
        <h1>{title}</h1>
        {lead === undefined ? null : (
          <p className={css.lead} {...foreign(lang)}>
            {lead}
          </p>
        )}
        {actions === undefined ? null : <div className="row">{actions}</div>}
        {children}
      </div>
      {scene}
    </div>
  )
}
