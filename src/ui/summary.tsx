import type { ComponentProps, ReactNode } from 'react'
import css from './summary.module.css'

export interface SummaryRow {
  label: string
  value: ReactNode
  /** Smaller second line of the value. */
  note?: string | undefined
  /** `ok` for what is saved, `muted` for what is not known yet, `control` when the value is one. */
  look?: 'ok' | 'muted' | 'control' | undefined
}

export interface SummaryTotal {
  label: string
  value: string
  /** While it is not yet what will be paid. */
  muted?: boolean | undefined
}

export interface SummaryListProps {
  rows: readonly SummaryRow[]
  total?: SummaryTotal | undefined
}

/** What is bought, line by line, with the total large at the end. */
export function SummaryList({ rows, total }: SummaryListProps) {
  return (
    <dl className={css.sum}>
      {rows.map((row) => (
        <div key={row.label} className={row.look === undefined ? undefined : css[row.look]}>
          <dt>{row.label}</dt>
          <dd>
            {row.value}
            {row.note === undefined ? null : <small>{row.note}</small>}
          </dd>
        </div>
      ))}
      {total === undefined ? null : (
        <div className={total.muted ? `${css.total} ${css.muted}` : css.total}>
          <dt>{total.label}</dt>
          <dd aria-live="polite">
            <bdi className="num">{total.value}</bdi>
          </dd>
        </div>
      )}
    </dl>
  )
}

/** Below 1024 px: the total and its buttons, always in sight at the foot of the screen. `name` is the region's, `label` the total's. */
export function MobileBar({
  name,
  label,
  total,
  children,
}: {
  name: string
  label: string
  total: ReactNode
  children: ReactNode
}) {
  return (
    <MobileBarFrame name={name}>
      <MobileTotal label={label} total={total} />
      {children}
    </MobileBarFrame>
  )
}

/** The bar without what is in it: a `MobileTotal` first. Takes what a `section` takes. */
export function MobileBarFrame({ name, ...rest }: { name: string } & ComponentProps<'section'>) {
  return <section className={css.bar} aria-label={name} data-mobile-bar="" {...rest} />
}

export function MobileTotal({ label, total }: { label: string; total: ReactNode }) {
  return (
    <div>
      <p>{label}</p>
      <b>
        <bdi className="num">{total}</bdi>
      </b>
    </div>
  )
}
