import { Icon } from '#ui/icon.tsx'
import { Note } from '#ui/note.tsx'
import { Panel } from '#ui/panel.tsx'
import { Picture } from '#ui/picture.tsx'
import { Fragment } from 'react'
import { useT } from '../i18n.tsx'
import css from './cashier.module.css'
import type { CashierData, CashierLine } from './load.ts'

/** So many covers stand in the folded line. */
const COVERS = 3

/** What is about to be paid for, folded into its number and its sum; open where a line of it needs to be looked at. */
export function Lines({
  data,
  short,
}: {
  readonly data: CashierData
  readonly short: ReadonlySet<number>
}) {
  const t = useT()
  const covers = [...new Set(data.lines.map(({ image }) => image))].filter((image) => image !== '')
  return (
    <Panel className={css.lines}>
      <h2 className={css.linesTitle}>{t('cashier.yourOrder')}</h2>
      <details className={css.fold} open={short.size > 0}>
        <summary>
          <span className={css.covers}>
            {covers.slice(0, COVERS).map((image) => (
              <Picture key={image} src={image} width={360} height={360} alt="" ratio="square" />
            ))}
          </span>
          <b>{data.count}</b>
          <bdi className="num">{data.subtotal}</bdi>
          <Icon name="down" />
        </summary>
        <Goods lines={data.lines} short={short} />
      </details>
    </Panel>
  )
}

/** Each line with the account it goes to and where it works. */
function Goods({
  lines,
  short,
}: {
  readonly lines: readonly CashierLine[]
  readonly short: ReadonlySet<number>
}) {
  const t = useT()
  return (
    <ul className={css.goods}>
      {lines.map((line, index) => (
        <li key={index} className={css.line}>
          {line.image === '' ? (
            <span className={css.blank} />
          ) : (
            <Picture src={line.image} width={360} height={360} alt="" ratio="square" />
          )}
          <div>
            <b>
              <bdi>{line.name}</bdi>
            </b>
            <p className="small muted">
              <bdi className="num">{line.label}</bdi>
              {line.region === '' ? null : <> · {line.region}</>} · {t('cashier.quantity')}{' '}
              <span className="num">{line.quantity}</span>
            </p>
            {line.account.length === 0 ? null : (
              <p className="small muted">
                {t('cashier.accountOf')}
                {line.account.map((value, place) => (
                  <Fragment key={place}>
                    {' '}
                    <bdi className="mono">{value}</bdi>
                  </Fragment>
                ))}
              </p>
            )}
          </div>
          <b className={css.price}>
            <bdi className="num">{line.total}</bdi>
          </b>
          {short.has(index) ? (
            <div className={css.warning}>
              <Note tone="bad" role="alert">
                {t('cashier.lineShort')}
              </Note>
            </div>
          ) : null}
        </li>
      ))}
    </ul>
  )
}
