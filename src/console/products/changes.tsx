import { useState } from 'react'
import { CONSOLE_PATH } from '../routes.ts'
import { callConsole } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { Fault } from '../kit/fault.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { useT } from '../words.tsx'
import { Moved } from './effect-box.tsx'
import type { ProductsData } from './load.ts'
import { Making } from './making.tsx'
import { useChange } from './use-change.ts'

/** What was changed lately, each taken back as far as nobody has changed the same since. */
export function Changes({ changes, mayChange }: Pick<ProductsData, 'changes' | 'mayChange'>) {
  const t = useT()
  const [undoing, undo] = useState<string | null>(null)
  return (
    <details className="panel">
      <summary>{t('console.products.changes.title')}</summary>
      {changes.length === 0 && <p className="hint">{t('console.products.changes.none')}</p>}
      <ul className="changes">
        {changes.map((change) => (
          <li key={change.id}>
            <span>
              <b>{kindText(t, change.kind)}</b>{' '}
              {t('console.products.changes.rows', { count: change.rows })}
            </span>
            <small>
              <bdi>{change.by}</bdi>, {change.at}
            </small>
            {change.isUndone ? (
              <small>{t('console.products.changes.undone')}</small>
            ) : (
              mayChange && (
                <button type="button" className="btn edge sm" onClick={() => undo(change.id)}>
                  {t('console.method.undo')}
                </button>
              )
            )}
          </li>
        ))}
      </ul>
      {undoing !== null && <Undo key={undoing} change={undoing} close={() => undo(null)} />}
    </details>
  )
}

function kindText(t: ReturnType<typeof useT>, kind: ProductsData['changes'][number]['kind']) {
  return kind === 'undo' ? t('console.method.undo') : t(`console.products.changes.${kind}`)
}

/** What taking a change back would do, and the press that does it. */
export function Undo({ change, close }: { readonly change: string; readonly close: () => void }) {
  const t = useT()
  const taking = useChange({ change }, 'goods/undo', 'goods/try_undo')
  async function make() {
    if (!(await taking.make({}))) return
    close()
    refreshPage()
  }
  return (
    <section className="stack-2" aria-label={t('console.method.undo')}>
      <h2 className="sr">{t('console.method.undo')}</h2>
      <Making
        change={taking}
        leave={{ text: t('console.acts.close'), press: close }}
        make={{ text: t('console.method.undo'), press: make }}
      />
    </section>
  )
}

/** What became of one item, the latest first. */
export function History({
  history,
  filters,
  mayChange,
}: Pick<ProductsData, 'history' | 'filters' | 'mayChange'>) {
  const t = useT()
  const attempt = useAttempt()
  async function unlock({ code, locked: fields }: NonNullable<ProductsData['history']>) {
    const given = { subject: 'item', code, fields, locked: false }
    if (await attempt.run(() => callConsole('goods/lock', given))) refreshPage()
  }
  if (!history) return null
  return (
    <section className="panel stack-2">
      <div className="row between wrapx">
        <h2>{t('console.products.historyOf', { name: history.name })}</h2>
        <a
          className="btn ghost sm"
          href={`${CONSOLE_PATH}/products?${new URLSearchParams({ ...filters }).toString()}`}
        >
          {t('console.acts.close')}
        </a>
      </div>
      {mayChange && history.locked.length > 0 && (
        <div className="row wrapx">
          <span>{t('console.products.save.lockText')}</span>
          <button
            type="button"
            className="btn edge sm"
            disabled={attempt.isBusy}
            onClick={() => void unlock(history)}
          >
            {t('console.products.unlock')}
          </button>
        </div>
      )}
      <Fault text={attempt.fault} />
      {history.rows.length === 0 && <p className="hint">{t('console.products.historyNone')}</p>}
      <ul className="changes">
        {history.rows.map((row) => (
          <li key={row.key}>
            <b>{row.field}</b>
            <Moved from={row.before} to={row.after} />
            <small>
              <bdi>{row.by}</bdi>, {row.at}
            </small>
          </li>
        ))}
      </ul>
    </section>
  )
}
