import { useState } from 'react'
import { callConsole } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { Fault } from '../kit/fault.tsx'
import { State } from '../kit/state.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import type { MethodRow, MethodsView } from './methods.ts'

/** Ways to pay as the cashier lists them, each with its terms; their order is changed here, their terms on a page of their own. */
export function Methods({ shown }: { readonly shown: MethodsView }) {
  const t = useT()
  const ordering = useOrdering(shown)
  const { rows, isMoved } = ordering
  return (
    <section className="panel flush" aria-labelledby="methods">
      <div className="panel-h">
        <h2 id="methods">{t('console.money.view.methods')}</h2>
        <p>{t('console.method.orderText')}</p>
      </div>
      <div className="scrollx line-t" tabIndex={0}>
        <table className="fold">
          <thead>
            <tr>
              <th>{t('console.method.method')}</th>
              <th className="c1">{t('console.money.provider')}</th>
              <th>{t('console.orders.state')}</th>
              <th>{t('console.method.fee')}</th>
              <th className="c1">{t('console.method.limits')}</th>
              <th className="c2">{t('console.method.where')}</th>
              <th>
                <span className="sr">{t('console.method.order')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.code}>
                <td className="t">
                  <a className="go" href={`${CONSOLE_PATH}/money/methods/${row.code}`}>
                    {row.name}
                  </a>
                </td>
                <td className="c1">
                  <bdi>{row.provider}</bdi>
                </td>
                <td className="s">
                  <State look={row.look} text={row.state} />
                </td>
                <td className="a">{row.fee}</td>
                <td className="c1">{row.limits}</td>
                <td className="c2 m">{row.where}</td>
                <td className="end">
                  {shown.mayChange && <Moves row={row} ordering={ordering} />}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {shown.waits && <p className="note warn">{t('console.service.waitsAlready')}</p>}
      {isMoved && <SaveOrder ordering={ordering} />}
      <p role="status" className={ordering.said === null ? 'sr' : 'note ok'}>
        {ordering.said}
      </p>
    </section>
  )
}

interface Ordering {
  readonly rows: readonly MethodRow[]
  readonly isMoved: boolean
  readonly said: string | null
  readonly attempt: ReturnType<typeof useAttempt>
  /** Null where there is no neighbour in that direction. */
  readonly move: (row: MethodRow, by: 1 | -1) => (() => void) | null
  readonly save: () => Promise<void>
  readonly undo: () => void
}

/** An order that is being made: of the version it was begun with, whatever changes meanwhile. */
function useOrdering({ rows: told, version }: MethodsView): Ordering {
  const t = useT()
  const attempt = useAttempt()
  const [made, setMade] = useState<{ codes: readonly string[]; version: string } | null>(null)
  const [said, say] = useState<string | null>(null)
  const codes = made?.codes ?? told.map(({ code }) => code)
  const rows = codes.flatMap((code) => told.find((row) => row.code === code) ?? [])
  return {
    rows,
    isMoved: made !== null,
    said,
    attempt,
    move(row, by) {
      const at = rows.indexOf(row)
      const other = rows[at + by]
      if (other?.group !== row.group) return null
      return () => {
        const next = rows.map(({ code }) => code)
        next[at] = other.code
        next[at + by] = row.code
        say(null)
        setMade({ codes: next, version: made?.version ?? version })
      }
    },
    async save() {
      const done = await attempt.run(() =>
        callConsole<{ waits_for_approval: string | null }>('money/methods/order', { ...made }),
      )
      if (!done) return
      say(t(done.waits_for_approval === null ? 'console.method.saved' : 'console.method.asked'))
      setMade(null)
      refreshPage()
    },
    undo: () => setMade(null),
  }
}

function Moves({ row, ordering }: { readonly row: MethodRow; readonly ordering: Ordering }) {
  const t = useT()
  const [up, down] = [ordering.move(row, -1), ordering.move(row, 1)]
  return (
    <span className="row">
      <button
        type="button"
        className="btn ghost sm"
        disabled={up === null}
        onClick={() => up?.()}
        aria-label={t('console.method.up', { name: row.name })}
      >
        <span aria-hidden="true">↑</span>
      </button>
      <button
        type="button"
        className="btn ghost sm"
        disabled={down === null}
        onClick={() => down?.()}
        aria-label={t('console.method.down', { name: row.name })}
      >
        <span aria-hidden="true">↓</span>
      </button>
    </span>
  )
}

function SaveOrder({ ordering: { attempt, save, undo } }: { readonly ordering: Ordering }) {
  const t = useT()
  return (
    <div className="panel-h stack-2">
      <Fault text={attempt.fault ?? Object.values(attempt.fields)[0] ?? null} />
      <div className="row wrapx">
        <button
          type="button"
          className="btn solid"
          disabled={attempt.isBusy}
          onClick={() => void save()}
        >
          {t('console.method.saveOrder')}
        </button>
        <button type="button" className="btn ghost" disabled={attempt.isBusy} onClick={undo}>
          {t('console.method.undo')}
        </button>
      </div>
    </div>
  )
}
