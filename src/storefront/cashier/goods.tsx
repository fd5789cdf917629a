import { Note } from '#ui/note.tsx'
import { Picture } from '#ui/picture.tsx'
import { Fragment } from 'react'
import { useT } from '../i18n.tsx'
import css from './cashier.module.css'
import type { CashierLine } from './load.ts'

/** What is about to be paid for, with the accounts it goes to and where it works. */
export function Goods({
  lines,
  short,
}: {
  readonly lines: readonly CashierLine[]
  readonly short: ReadonlySet<number>
}) {
  const t = useT()
  return (
    <ul>
      {lines.map((line, index) => (
        <li key={index} className={css.line}>
          {line.image === '' ? (
            <span className={css.blank} />
          ) : (
            <Picture
              src={line.image}
              width={360}
              height={360}
              alt=""
              ratio="square"
              lazy={index > 1}
            />
          )}
          <div>
            <b>
              <bdi>{line.name}</bdi>
            </b>
            <p className="small muted">
              <bdi className="num">{line.label}</bdi>
              {line.region === '' ? null : <> · {line.region}</>}
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
            <p className="small muted">
              {t('cashier.quantity')} <span className="num">{line.quantity}</span>
            </p>
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
