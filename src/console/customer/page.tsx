import { Fragment } from 'react'
import { AddressText } from '#ui/address-text.tsx'
import { Icon } from '#ui/icon.tsx'
import { groupedNumber } from '../kit/grouped-number.ts'
import { State } from '../kit/state.tsx'
import { Story } from '../kit/story.tsx'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import { Account } from './account.tsx'
import { GiveCredit } from './give-credit.tsx'
import { Level } from './level.tsx'
import type { CustomerData } from './load.ts'
import { AddNote } from './notes.tsx'
import { Tabs } from './tabs.tsx'

/** One customer: who they are, what happened, and what can be done for them. Nobody can sign in as they. */
export function Page({ data }: { readonly data: CustomerData }) {
  const t = useT()
  return (
    <>
      <div className="pg">
        <div>
          <Back from={data.from} />
          <h1>
            <bdi>{data.name}</bdi> <State look={data.look} text={data.state} />
          </h1>
          <p>{data.summary}</p>
        </div>
      </div>
      <section className="panel flush">
        <dl className="figs">
          {data.figures.map(({ name, value }) => (
            <div key={name}>
              <dt>{t(`console.customer.figure.${name}`)}</dt>
              <dd className="v">
                <bdi>{value}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      </section>
      <div className="g2 dp">
        <div className="stack">
          <Tabs data={data} />
          <Story lines={data.story}>{data.may.change && <AddNote shopper={data.id} />}</Story>
        </div>
        <aside className="stack">
          {data.may.credit && <GiveCredit key={data.id} data={data} />}
          <Facts data={data} />
          {data.may.level && data.status === 'active' && (
            <Level key={data.level.now} id={data.id} level={data.level} />
          )}
          <Account key={`${data.id} ${data.status}`} data={data} />
        </aside>
      </div>
    </>
  )
}

/** To the order that led here, else to the list. */
function Back({ from }: Pick<CustomerData, 'from'>) {
  const t = useT()
  return from === null ? (
    <a className="back" href={`${CONSOLE_PATH}/customers`}>
      <Icon name="left" />
      {t('console.customers.nav')}
    </a>
  ) : (
    <a className="back" href={`${CONSOLE_PATH}/orders/${from}`}>
      <Icon name="left" />
      <bdi>{groupedNumber(from)}</bdi>
    </a>
  )
}

function Facts({ data: { facts } }: { readonly data: CustomerData }) {
  const t = useT()
  return (
    <section className="panel stack-2">
      <h2>{t('console.customer.facts')}</h2>
      <dl className="dl">
        {facts.map(({ name, value }) => (
          <Fragment key={name}>
            <dt>{t(`console.customer.fact.${name}`)}</dt>
            <dd>
              <AddressText>{value}</AddressText>
            </dd>
          </Fragment>
        ))}
      </dl>
    </section>
  )
}
