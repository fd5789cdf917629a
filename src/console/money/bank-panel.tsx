import { callConsole } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { Fault } from '../kit/fault.tsx'
import { OrderLink } from '../kit/order-link.tsx'
import { State } from '../kit/state.tsx'
import { useAttempt } from '../kit/use-attempt.ts'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import type { BankView, ShownLine } from './bank.ts'
import { OpenLine } from './bank-line.tsx'
import { ImportStatement } from './import-statement.tsx'

/** Statements of the bank: taking them in, matching their lines to orders, and refunds that somebody is to send. */
export function Bank({ shown, mayNote }: { readonly shown: BankView; readonly mayNote: boolean }) {
  const t = useT()
  return (
    <div className="g2">
      <div className="stack">
        <nav className="row" aria-label={t('console.orders.state')}>
          {(['open', 'closed'] as const).map((state) => (
            <a
              key={state}
              className={state === shown.state ? 'chip on' : 'chip'}
              aria-current={state === shown.state ? 'page' : undefined}
              href={`${CONSOLE_PATH}/money?view=bank&state=${state}`}
            >
              {t(state === 'open' ? 'console.money.open' : 'console.system.done')}
            </a>
          ))}
        </nav>
        {shown.lines.length === 0 && (
          <section className="panel empty">
            <h2>{t('console.money.noLines')}</h2>
            <p>{t('console.money.noLinesText')}</p>
          </section>
        )}
        {shown.lines.map((line) =>
          line.outcome === null ? (
            <OpenLine key={line.id} line={line} mayNote={mayNote} />
          ) : (
            <ClosedLine key={line.id} line={line} mayNote={mayNote} />
          ),
        )}
        {shown.more !== null && (
          <nav aria-label={t('console.pages')}>
            <a className="btn edge sm" href={CONSOLE_PATH + shown.more}>
              {t('console.older')}
            </a>
          </nav>
        )}
      </div>
      <aside className="stack">
        {mayNote && <ImportStatement />}
        <Statements statements={shown.statements} />
        <Returns returns={shown.returns} mayNote={mayNote} />
      </aside>
    </div>
  )
}

function ClosedLine({ line, mayNote }: { readonly line: ShownLine; readonly mayNote: boolean }) {
  const t = useT()
  const attempt = useAttempt()
  return (
    <section className="panel stack-2">
      <p>
        <b>
          <bdi className="money">{line.amount}</bdi>
        </b>{' '}
        <bdi>{line.payer}</bdi>{' '}
        <State
          look={line.outcome === 'matched' ? 'done' : 'gone'}
          text={t(`console.money.outcome.${line.outcome ?? 'matched'}`)}
        />
      </p>
      <p className="small">
        {line.booked}
        {line.order !== null && (
          <>
            {' · '}
            <OrderLink number={line.order} />
          </>
        )}
        {line.by !== null && ` · ${t('console.order.by', { name: line.by })}`}
        {line.note !== '' && (
          <>
            {' · '}
            <bdi>{line.note}</bdi>
          </>
        )}
      </p>
      {mayNote && line.outcome === 'set_aside' && (
        <div className="row">
          <button
            type="button"
            className="btn edge sm"
            disabled={attempt.isBusy}
            onClick={() =>
              void attempt
                .run(() => callConsole('money/bank/take_up', { line: line.id }))
                .then((done) => done && refreshPage())
            }
          >
            {t('console.money.takeUp')}
          </button>
        </div>
      )}
      <Fault text={attempt.fault} />
    </section>
  )
}

function Statements({ statements }: Pick<BankView, 'statements'>) {
  const t = useT()
  if (statements.length === 0) return null
  return (
    <section className="panel stack-2" aria-labelledby="statements">
      <h2 id="statements">{t('console.money.statements')}</h2>
      <ul className="stack-2 small">
        {statements.map((one) => (
          <li key={one.id}>
            {one.at}, <bdi>{one.by}</bdi>:{' '}
            {t('console.money.statementLines', { count: one.lines, known: one.known })}
          </li>
        ))}
      </ul>
    </section>
  )
}

function Returns({ returns, mayNote }: Pick<BankView, 'returns'> & { readonly mayNote: boolean }) {
  const t = useT()
  const attempt = useAttempt()
  if (returns.length === 0) return null
  return (
    <section className="panel stack-2" aria-labelledby="returns">
      <h2 id="returns">{t('console.money.returns')}</h2>
      <ul className="stack-2">
        {returns.map((one) => (
          <li key={one.refund} className="row between wrapx">
            <span>
              <OrderLink number={one.order} /> <bdi className="money">{one.amount}</bdi>{' '}
              <small>{one.asked}</small>
            </span>
            {mayNote && (
              <button
                type="button"
                className="btn edge sm"
                disabled={attempt.isBusy}
                onClick={() =>
                  void attempt
                    .run(() => callConsole('money/bank/returned', { refund: one.refund }))
                    .then((done) => done && refreshPage())
                }
              >
                {t('console.money.sent')}
              </button>
            )}
          </li>
        ))}
      </ul>
      <Fault text={attempt.fault} />
    </section>
  )
}
