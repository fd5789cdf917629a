import { useState } from 'react'
import { Undo } from '../products/changes.tsx'
import { Moved } from '../products/effect-box.tsx'
import { fieldText } from '../products/field-text.ts'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import { useShared } from './editor.tsx'
import type { HistoryView } from './history-view.ts'

/** What became of it, change by change, each with its difference and the way back. */
export function History({ history }: { readonly history: HistoryView }) {
  const t = useT()
  const { data, here } = useShared()
  const [undoing, undo] = useState<string | null>(null)
  return (
    <section className="panel stack-2" aria-label={t('console.products.history')}>
      {history.changes.length === 0 && <p className="hint">{t('console.products.historyNone')}</p>}
      <ol className="past">
        {history.changes.map((one) => (
          <li key={one.change}>
            <div className="row between wrapx">
              <span>
                <b>
                  <bdi>{one.by}</bdi>
                </b>
                , {one.at}
                <small> {kindText(t, one.kind)}</small>
              </span>
              {one.isUndone ? (
                <small>{t('console.products.changes.undone')}</small>
              ) : (
                data.mayChange &&
                // Going back to a former address stands at the address.
                one.rows.some(({ field }) => field !== 'code') &&
                undoing !== one.change && (
                  <button type="button" className="btn edge sm" onClick={() => undo(one.change)}>
                    {t('console.method.undo')}
                    <span className="sr">
                      {' '}
                      {one.by}, {one.at}
                    </span>
                  </button>
                )
              )}
            </div>
            <ul className="changes">
              {one.rows.map((row) => (
                <li key={`${row.name} ${row.field}`}>
                  <b>{fieldText(t, row.field)}</b>
                  <Moved from={row.before} to={row.after} />
                  <small>
                    <bdi>{row.name}</bdi>
                  </small>
                </li>
              ))}
            </ul>
            {undoing === one.change && <Undo change={one.change} close={() => undo(null)} />}
          </li>
        ))}
      </ol>
      {history.older !== null && (
        <nav>
          <a
            className="btn edge"
            href={`${CONSOLE_PATH}${here}?view=history&before=${history.older}`}
          >
            {t('console.product.older')}
          </a>
        </nav>
      )}
    </section>
  )
}

const KINDS = ['inline', 'bulk', 'editor', 'import'] as const

function kindText(t: ReturnType<typeof useT>, kind: string): string {
  const known = KINDS.find((one) => one === kind)
  return known === undefined ? t('console.method.undo') : t(`console.products.changes.${known}`)
}
