import { useEffect, useState } from 'react'
import { Icon } from '#ui/icon.tsx'
import { callConsole, readConsole } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { Fault } from '../kit/fault.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { useT } from '../words.tsx'
import type { ImportEffect, ImportRow } from './load.ts'

const LOOKED_EVERY_MS = 1_000
const MOVING: ReadonlySet<ImportRow['status']> = new Set(['uploading', 'checking', 'taking'])

interface Told {
  readonly status: ImportRow['status']
  readonly lines: number
  readonly checked_lines: number
  readonly taken_lines: number
  readonly fresh: number
  readonly known: number
  readonly doubled: number
  readonly malformed: number
  readonly expired: number
}

/** An import: how far it has come, what is wrong with which lines, and what taking it does before it is taken. */
export function Import({
  row,
  mayImport,
}: {
  readonly row: ImportRow
  readonly mayImport: boolean
}) {
  const t = useT()
  const now = useProgress(row)
  const heading = `import-${row.id}`
  const isMoving = MOVING.has(now.status)
  return (
    <section className="panel stack-2" aria-labelledby={`${heading} ${heading}-when`}>
      <div className="row between wrapx">
        <div>
          <h2 id={heading}>
            <bdi>{row.file}</bdi>
          </h2>
          <p className="small muted" id={`${heading}-when`}>
            {t(`console.keys.status.${now.status}`)} · {row.at} · <bdi>{row.by}</bdi>
          </p>
        </div>
        {mayImport && <Cancel id={row.id} />}
      </div>
      {isMoving && <Bar row={now} />}
      <Found row={now} />
      {row.status === 'done' && (
        <p>{t('console.keys.taken', { count: row.taken, skipped: row.skipped })}</p>
      )}
      {row.faults.length > 0 && <Faults row={row} />}
      {row.effect && row.fresh > 0 && <Take row={row} effect={row.effect} mayImport={mayImport} />}
    </section>
  )
}

/** Asks how far it is while it moves; the page is asked for anew once it stands. */
function useProgress(row: ImportRow): ImportRow {
  const [now, setNow] = useState(row)
  useEffect(() => setNow(row), [row])
  const isMoving = MOVING.has(now.status)
  useEffect(() => {
    if (!isMoving) return
    const timer = setInterval(() => {
      void readConsole<Told>('keys/import', { id: row.id }).then((told) => {
        if (!told.isDone) return
        const { data } = told
        if (MOVING.has(data.status)) setNow((before) => ({ ...before, ...partsOf(data) }))
        else refreshPage()
      })
    }, LOOKED_EVERY_MS)
    return () => clearInterval(timer)
  }, [isMoving, row.id])
  return now
}

const partsOf = (told: Told) => ({
  status: told.status,
  lines: told.lines,
  done: told.status === 'taking' ? told.taken_lines : told.checked_lines,
  fresh: told.fresh,
  known: told.known,
  doubled: told.doubled,
  malformed: told.malformed,
  expired: told.expired,
})

function Bar({ row: { done, lines } }: { readonly row: ImportRow }) {
  const t = useT()
  const share = lines === 0 ? 0 : Math.floor((done / lines) * 100)
  const label = t('console.keys.progress', { done, count: lines })
  return (
    <div className="stack-2">
      <b className="small">{label}</b>
      <div
        className="pbar"
        role="progressbar"
        aria-valuenow={share}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-label={label}
      >
        <i className="o" style={{ inlineSize: `${share}%` }} />
      </div>
    </div>
  )
}

function Found({ row }: { readonly row: ImportRow }) {
  const t = useT()
  const looks = [
    ['fresh', 'done'],
    ['known', 'slow'],
    ['doubled', 'slow'],
    ['malformed', 'fail'],
    ['expired', 'gone'],
  ] as const
  return (
    <div className="row wrapx">
      {looks
        .filter(([name]) => name === 'fresh' || row[name] > 0)
        .map(([name, look]) => (
          <span key={name} className={`st ${look}`}>
            {t(`console.keys.found.${name}`, { count: row[name] })}
          </span>
        ))}
    </div>
  )
}

function Faults({ row }: { readonly row: ImportRow }) {
  const t = useT()
  return (
    <details>
      <summary className="link small">{t('console.keys.wrong')}</summary>
      <div className="scrollx">
        <table>
          <thead>
            <tr>
              <th className="num">{t('console.keys.line')}</th>
              <th>{t('console.keys.wrong')}</th>
            </tr>
          </thead>
          <tbody>
            {row.faults.map(({ line, text }) => (
              <tr key={line}>
                <td className="num">{line}</td>
                <td>{text}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}

/** What taking it does stands there before the button works. */
function Take({
  row,
  effect,
  mayImport,
}: {
  readonly row: ImportRow
  readonly effect: ImportEffect
  readonly mayImport: boolean
}) {
  const t = useT()
  const attempt = useAttempt()
  async function take() {
    const body = { id: row.id, fresh: row.fresh }
    if (await attempt.run(() => callConsole('keys/import/take', body))) refreshPage()
  }
  return (
    <>
      <section className="fx" aria-live="polite">
        <h3>{t('console.effect')}</h3>
        <ul>
          <Change label={t('console.keys.free')} change={effect.free} />
          {effect.cover && <Change label={t('console.keys.cover')} change={effect.cover} />}
          {effect.value !== null && (
            <li>
              <span>{t('console.keys.valueAdded')}</span>
              <span>
                <bdi className="moved">{effect.value}</bdi>
              </span>
            </li>
          )}
        </ul>
      </section>
      <Fault text={attempt.fault} />
      {row.status === 'waiting' ? (
        <p className="two-p">
          <Icon name="lock" />
          <span>{t('console.keys.waits')}</span>
        </p>
      ) : (
        mayImport && (
          <div className="row">
            <button
              type="button"
              className="btn solid"
              disabled={attempt.isBusy}
              onClick={() => void take()}
            >
              {t('console.keys.take', { count: row.fresh })}
            </button>
          </div>
        )
      )}
    </>
  )
}

function Change({
  label,
  change: { from, to },
}: {
  readonly label: string
  readonly change: { readonly from: string; readonly to: string }
}) {
  return (
    <li>
      <span>{label}</span>
      <span className="chg">
        <bdi className="from">{from}</bdi>
        <Icon name="arrow" />
        <bdi className="to">{to}</bdi>
      </span>
    </li>
  )
}

function Cancel({ id }: { readonly id: string }) {
  const t = useT()
  const attempt = useAttempt()
  async function cancel() {
    if (await attempt.run(() => callConsole('keys/import/cancel', { id }))) refreshPage()
  }
  return (
    <div>
      <button
        type="button"
        className="btn ghost sm"
        disabled={attempt.isBusy}
        onClick={() => void cancel()}
      >
        {t('console.keys.cancelImport')}
      </button>
      <Fault text={attempt.fault} />
    </div>
  )
}
