import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import type { LedgerView } from './ledger.ts'

/** The accounts of the books with their balances, now or at the end of a day. */
export function Ledger({ shown }: { readonly shown: LedgerView }) {
  const t = useT()
  return (
    <>
      <form className="row wrapx" action={`${CONSOLE_PATH}/money`}>
        <input type="hidden" name="view" value="ledger" />
        <label className="field">
          <span className="label">{t('console.money.day')}</span>
          <input className="input" type="date" name="day" defaultValue={shown.day ?? ''} />
        </label>
        <button type="submit" className="btn edge">
          {t('console.money.showDay')}
        </button>
      </form>
      <section className="panel flush" aria-labelledby="books">
        <div className="panel-h">
          <h2 id="books">{shown.day ?? t('console.money.booksNow')}</h2>
          <p>
            {shown.closed === null
              ? t('console.money.notClosed')
              : t('console.money.closedAt', { at: shown.closed })}
          </p>
        </div>
        {shown.isCatchingUp && <p className="line-t pad">{t('console.money.catchingUp')}</p>}
        {shown.accounts.length === 0 ? (
          <div className="empty line-t">
            <h2>{t(shown.isCatchingUp ? 'console.money.noBooksYet' : 'console.money.noBooks')}</h2>
          </div>
        ) : (
          <div className="scrollx line-t" tabIndex={0}>
            <Accounts accounts={shown.accounts} />
          </div>
        )}
        {shown.days.length > 0 && (
          <nav className="foot-l wrapx" aria-label={t('console.money.closedDays')}>
            {shown.days.map(({ day, shown: text }) => (
              <a
                key={day}
                className="link small"
                href={`${CONSOLE_PATH}/money?view=ledger&day=${day}`}
                aria-current={day === shown.day ? 'page' : undefined}
              >
                {text}
              </a>
            ))}
          </nav>
        )}
      </section>
    </>
  )
}

function Accounts({ accounts }: Pick<LedgerView, 'accounts'>) {
  const t = useT()
  return (
    <table>
      <thead>
        <tr>
          <th>{t('console.money.account')}</th>
          <th className="num">{t('console.money.debit')}</th>
          <th className="num">{t('console.money.credit')}</th>
          <th className="num">{t('console.money.balance')}</th>
        </tr>
      </thead>
      <tbody>
        {accounts.map((each) => (
          <tr key={each.id}>
            <td>
              <bdi>{each.name}</bdi>{' '}
              {each.name !== each.account && (
                <small className="mono">
                  <bdi>{each.account}</bdi>
                </small>
              )}
            </td>
            <td className="num">
              <bdi className="money">{each.debit}</bdi>
            </td>
            <td className="num">
              <bdi className="money">{each.credit}</bdi>
            </td>
            <td className="num">
              <bdi className={each.isNegative ? 'money down' : 'money'}>{each.balance}</bdi>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
