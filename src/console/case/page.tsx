import { Icon } from '#ui/icon.tsx'
import { OrderLink } from '../kit/order-link.tsx'
import { State } from '../kit/state.tsx'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import { Claim } from './claim.tsx'
import { Decide } from './decide.tsx'
import { Dispute } from './dispute.tsx'
import type { CaseData } from './load.ts'

/** One case: what is asked, what is known, what the rules say, and the decision. */
export function Page({ data }: { readonly data: CaseData }) {
  const t = useT()
  return (
    <>
      <div className="pg">
        <div>
          <a className="back" href={`${CONSOLE_PATH}/cases`}>
            <Icon name="left" />
            {t('console.cases.nav')}
          </a>
          <h1>
            {data.title} <State look={data.look} text={data.state} />
            {data.left && (
              <span className={data.left.isLate ? 'badge bad' : 'badge'}>{data.left.text}</span>
            )}
          </h1>
          <p>{data.summary}</p>
        </div>
      </div>
      <div className="g2 dp">
        <div className="stack">
          <Asked data={data} />
          <Units data={data} />
        </div>
        <aside className="stack">
          {data.decision && <Decision decision={data.decision} />}
          {data.isOpen && data.mayDecide && data.kind !== 'dispute' && (
            <Decide key={data.id} data={data} />
          )}
          {data.isOpen && data.mayDecide && data.kind === 'dispute' && (
            <Dispute key={`${data.id} ${data.due}`} data={data} />
          )}
          <Rules data={data} />
          {data.isOpen && <Claim key={`${data.id} ${data.claimedBy}`} data={data} />}
        </aside>
      </div>
    </>
  )
}

function Asked({ data }: { readonly data: CaseData }) {
  const t = useT()
  return (
    <section className="panel stack-2">
      <dl className="dl">
        <dt>{t('console.orders.customer')}</dt>
        <dd>
          <a className="link" href={`${CONSOLE_PATH}/customers/${data.shopper.id}`}>
            <bdi>{data.shopper.name ?? t('console.erased')}</bdi>
          </a>
        </dd>
        <dt>{t('console.orders.order')}</dt>
        <dd>
          <OrderLink number={data.order} />
        </dd>
      </dl>
      {data.text !== '' && (
        <blockquote className="note">
          <bdi className="as-typed" lang={data.shopper.language}>
            {data.text}
          </bdi>
        </blockquote>
      )}
      {data.picture !== null && (
        <img className="sent" src={data.picture} alt={t('console.cases.picture')} />
      )}
    </section>
  )
}

function Units({ data: { units } }: { readonly data: CaseData }) {
  const t = useT()
  if (units.length === 0) return null
  return (
    <section className="panel flush">
      <div className="panel-h">
        <h2>{t('console.cases.evidence')}</h2>
      </div>
      <ul className="units line-t">
        {units.map((unit) => (
          <li key={unit.id}>
            <span>
              <b>
                <bdi>{unit.name}</bdi>
              </b>
              {unit.facts.map((fact, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a fact has no name of its own
                <small key={index} className="as-line">
                  {fact}
                </small>
              ))}
            </span>
            <span className="s">{unit.state}</span>
            <span className="p">
              <bdi className="money">{unit.price}</bdi>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

const MARKS = { for: 'check', against: 'alert', neither: 'info' } as const

function Rules({ data: { findings } }: { readonly data: CaseData }) {
  const t = useT()
  return (
    <section className="panel stack-2">
      <h2>{t('console.cases.rules')}</h2>
      <ul className="stack-2 small">
        {findings.map(({ text, speaks }) => (
          <li key={text} className="row">
            <Icon name={MARKS[speaks]} />
            <span>
              {text}
              <span className="sr"> {t(`console.cases.speaks.${speaks}`)}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Decision({ decision }: { readonly decision: NonNullable<CaseData['decision']> }) {
  const t = useT()
  return (
    <section className="panel stack-2">
      <h2>{t('console.cases.decided')}</h2>
      <p>{t('console.cases.decidedBy', { name: decision.by, date: decision.at })}</p>
      {decision.note !== '' && (
        <blockquote className="note">
          <bdi className="as-typed">{decision.note}</bdi>
        </blockquote>
      )}
    </section>
  )
}
