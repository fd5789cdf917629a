import { useState, type ReactNode } from 'react'
import { callConsole, type CallOutcome } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { Fault } from '../kit/fault.tsx'
import { LineField } from '../kit/fields.tsx'
import { OrderLink } from '../kit/order-link.tsx'
import { Pager } from '../kit/pager.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { supplierName } from '../kit/supplier-name.ts'
import { useT } from '../words.tsx'
import type { CasesView, DifferencesView, DoubtsView, InvoicesView, WaitingView } from './work.ts'

const NOTE_MAX = 300

function Empty({ title }: { readonly title: string }) {
  const t = useT()
  return (
    <section className="panel empty">
      <h2>{title}</h2>
      <p>{t('console.suppliers.noneText')}</p>
    </section>
  )
}

interface Column {
  readonly text: string
  readonly className?: string
}

function Table({
  columns,
  next,
  children,
}: {
  readonly columns: readonly Column[]
  readonly next: string | null
  readonly children: ReactNode
}) {
  return (
    <section className="panel flush">
      <div className="scrollx" tabIndex={0}>
        <table className="fold">
          <thead>
            <tr>
              {columns.map(({ text, className }) => (
                <th key={text} className={className}>
                  {text}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{children}</tbody>
        </table>
      </div>
      <Pager next={next} />
    </section>
  )
}

/** Purchases nobody could find out about; what became of each is decided at its order. */
export function Doubts({ shown: { rows, next } }: { readonly shown: DoubtsView }) {
  const t = useT()
  if (rows.length === 0) return <Empty title={t('console.suppliers.noDoubts')} />
  return (
    <Table
      next={next}
      columns={[
        { text: t('console.suppliers.order') },
        { text: t('console.suppliers.supplier') },
        { text: t('console.suppliers.goods'), className: 'c1' },
        { text: t('console.suppliers.cost'), className: 'num' },
        { text: t('console.suppliers.asked'), className: 'c2' },
        { text: t('console.suppliers.told') },
      ]}
    >
      {rows.map((row) => (
        <tr key={row.reference}>
          <td className="t">
            <OrderLink number={row.order} isRow />
            <span className="sub">
              <bdi className="mono">{row.reference}</bdi>
            </span>
          </td>
          <td className="s">
            <bdi>{supplierName(row.supplier)}</bdi>
            {row.theirId !== null && (
              <span className="sub">
                <bdi className="mono">{row.theirId}</bdi>
              </span>
            )}
          </td>
          <td className="c1" dir="auto">
            {row.goods}
          </td>
          <td className="num a">
            <bdi className="money">{row.cost}</bdi>
          </td>
          <td className="c2">
            {row.asked} <small className="sub">{row.age}</small>
          </td>
          <td className="m" lang="en" dir="ltr">
            {row.told ?? '–'}
          </td>
        </tr>
      ))}
    </Table>
  )
}

export function Waiting({ shown: { rows, next } }: { readonly shown: WaitingView }) {
  const t = useT()
  if (rows.length === 0) return <Empty title={t('console.suppliers.noWaiting')} />
  return (
    <Table
      next={next}
      columns={[
        { text: t('console.suppliers.order') },
        { text: t('console.suppliers.supplier') },
        { text: t('console.suppliers.goods'), className: 'c1' },
        { text: t('console.orders.state') },
      ]}
    >
      {rows.map((row) => (
        <tr key={row.unit}>
          <td className="t">
            <OrderLink number={row.order} isRow />
          </td>
          <td className="a">
            <bdi>{supplierName(row.supplier)}</bdi>
          </td>
          <td className="c1 m" dir="auto">
            {row.goods}
          </td>
          <td className="s">
            {row.held === null ? (
              <span className="st way">{t('console.suppliers.turn', { at: row.due })}</span>
            ) : (
              <span className="badge warn">{t(`console.suppliers.held.${row.held}`)}</span>
            )}
          </td>
        </tr>
      ))}
    </Table>
  )
}

/** Says what was found, and closes it; no money is moved by it. */
function Closing({
  close,
  label,
}: {
  readonly close: (note: string) => Promise<CallOutcome<unknown>>
  readonly label: string
}) {
  const t = useT()
  const attempt = useAttempt()
  const [note, setNote] = useState('')
  return (
    <details>
      <summary className="link">{t('console.suppliers.close')}</summary>
      <form
        className="stack-2"
        onSubmit={(event) => {
          event.preventDefault()
          void attempt.run(() => close(note)).then((done) => done && refreshPage())
        }}
      >
        <LineField
          label={t('console.money.note')}
          hint={t('console.suppliers.closeHint')}
          value={note}
          max={NOTE_MAX}
          write={setNote}
          fault={attempt.fields['note']}
          required
        />
        <Fault text={attempt.fault} />
        <button type="submit" className="btn edge sm" disabled={attempt.isBusy}>
          {t('console.suppliers.close')} <span className="sr">{label}</span>
        </button>
      </form>
    </details>
  )
}

export function Cases({
  shown: { rows, next },
  mayDecide,
}: {
  readonly shown: CasesView
  readonly mayDecide: boolean
}) {
  const t = useT()
  if (rows.length === 0) return <Empty title={t('console.suppliers.noCases')} />
  return (
    <Table
      next={next}
      columns={[
        { text: t('console.suppliers.order') },
        { text: t('console.orders.state') },
        { text: t('console.suppliers.supplier'), className: 'c1' },
        { text: t('console.suppliers.cost'), className: 'num' },
        { text: t('console.suppliers.close') },
      ]}
    >
      {rows.map((row) => (
        <tr key={row.id}>
          <td className="t">
            <OrderLink number={row.order} isRow />
            <span className="sub">
              <bdi className="mono">{row.reference}</bdi>
            </span>
          </td>
          <td className="s">
            {t(`console.suppliers.case.${row.kind}`)} <small className="sub">{row.age}</small>
          </td>
          <td className="c1">
            <bdi>{supplierName(row.supplier)}</bdi>
          </td>
          <td className="num a">
            <bdi className="money">{row.cost}</bdi>
          </td>
          <td className="m">
            {mayDecide && (
              <Closing
                label={row.reference}
                close={(note) => callConsole('suppliers/cases/close', { id: row.id, note })}
              />
            )}
          </td>
        </tr>
      ))}
    </Table>
  )
}

export function Differences({
  shown: { rows, next },
  mayDecide,
}: {
  readonly shown: DifferencesView
  readonly mayDecide: boolean
}) {
  const t = useT()
  if (rows.length === 0) return <Empty title={t('console.suppliers.noDifferences')} />
  return (
    <Table
      next={next}
      columns={[
        { text: t('console.suppliers.view.differences') },
        { text: t('console.suppliers.order') },
        { text: t('console.suppliers.ours'), className: 'num' },
        { text: t('console.suppliers.theirs'), className: 'num' },
        { text: t('console.suppliers.close') },
      ]}
    >
      {rows.map((row) => (
        <tr key={row.id}>
          <td className="t">
            {t(`console.suppliers.difference.${row.kind}`)}
            <span className="sub">
              <bdi>{supplierName(row.supplier)}</bdi>{' '}
              <bdi className="mono">{row.theirId ?? row.reference}</bdi> {row.age}
            </span>
          </td>
          <td className="s">{row.order === null ? '–' : <OrderLink number={row.order} />}</td>
          <td className="num a">
            <bdi className="money">{row.ours}</bdi>
          </td>
          <td className="num">
            <bdi className="money">{row.theirs}</bdi>
          </td>
          <td className="m">
            {mayDecide && (
              <Closing
                label={row.theirId ?? row.reference ?? supplierName(row.supplier)}
                close={(note) => callConsole('suppliers/differences/close', { id: row.id, note })}
              />
            )}
          </td>
        </tr>
      ))}
    </Table>
  )
}

export function Invoices({
  shown: { rows, next },
  mayNote,
}: {
  readonly shown: InvoicesView
  readonly mayNote: boolean
}) {
  const t = useT()
  if (rows.length === 0) return <Empty title={t('console.suppliers.noInvoices')} />
  return (
    <Table
      next={next}
      columns={[
        { text: t('console.suppliers.invoice') },
        { text: t('console.suppliers.days'), className: 'c1' },
        { text: t('console.suppliers.billed'), className: 'num' },
        { text: t('console.suppliers.booked'), className: 'num' },
        { text: t('console.suppliers.more'), className: 'c1 num' },
        { text: t('console.suppliers.close') },
      ]}
    >
      {rows.map((row) => (
        <tr key={`${row.supplier} ${row.number}`}>
          <td className="t">
            <bdi>{row.number}</bdi>
            <span className="sub">
              <bdi>{supplierName(row.supplier)}</bdi> {t(`console.suppliers.kind.${row.kind}`)}
            </span>
          </td>
          <td className="c1">
            <bdi>{row.days}</bdi>
          </td>
          <td className="num a">
            <bdi className="money">{row.billed}</bdi>
          </td>
          <td className="num">
            <bdi className="money">{row.booked}</bdi>
          </td>
          <td className="c1 num">
            <bdi className="money">{row.more}</bdi>
          </td>
          <td className="m">
            {mayNote && (
              <Closing
                label={row.number}
                close={(note) =>
                  callConsole('suppliers/invoices/settle', {
                    supplier: row.supplier,
                    number: row.number,
                    note,
                  })
                }
              />
            )}
          </td>
        </tr>
      ))}
    </Table>
  )
}
