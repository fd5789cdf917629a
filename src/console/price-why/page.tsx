import { Icon } from '#ui/icon.tsx'
import { WhyForm } from '../prices/why-form.tsx'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import type { WhyData } from './load.ts'

/** How a price comes about: for any item, currency, level and moment. */
export function Page({ data }: { readonly data: WhyData }) {
  const t = useT()
  const { asked, places, answer, found } = data
  const address = `${CONSOLE_PATH}/prices/why`
  return (
    <>
      <div className="pg">
        <div>
          <a className="back" href={`${CONSOLE_PATH}/prices`}>
            <Icon name="left" />
            {t('console.prices.nav')}
          </a>
          <h1>{t('console.prices.why')}</h1>
          <p>{t('console.prices.whyLead')}</p>
        </div>
      </div>
      <section className="panel">
        <WhyForm key={JSON.stringify(asked)} places={places} action={address} asked={asked} />
      </section>
      {answer ? (
        <Answer answer={answer} currency={asked.currency} />
      ) : (
        asked.item !== '' && <Found asked={asked} found={found} address={address} />
      )}
    </>
  )
}

function Answer({
  answer,
  currency,
}: {
  readonly answer: NonNullable<WhyData['answer']>
  readonly currency: string
}) {
  const t = useT()
  return (
    <section className="panel stack" aria-labelledby="answer">
      <h2 id="answer">
        <bdi className="mono">{answer.code}</bdi> · {currency}
      </h2>
      <ol className="chain">
        {answer.steps.map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the steps of one price stay in their order
          <li key={index}>
            <span>
              {step.link === null ? (
                step.name
              ) : (
                <a className="link" href={CONSOLE_PATH + step.link}>
                  {step.name}
                </a>
              )}
            </span>
            <bdi className="op" />
            <bdi className="val">{step.value}</bdi>
            <small>
              <bdi>{step.by}</bdi>
            </small>
          </li>
        ))}
      </ol>
      <div className="row between line-t">
        <b>{t('console.prices.shown')}</b>
        {answer.price === null ? (
          <b className="down">{t(`console.prices.withheld.${answer.withheld ?? 'no_rate'}`)}</b>
        ) : (
          <span className="moved">
            <bdi>{answer.price}</bdi>
          </span>
        )}
      </div>
      <p className="hint">{t('console.prices.stored')}</p>
    </section>
  )
}

/** What was meant, perhaps. */
function Found({
  asked,
  found,
  address,
}: Pick<WhyData, 'asked' | 'found'> & { readonly address: string }) {
  const t = useT()
  return (
    <section className="panel stack-2">
      <p role="status">{t('console.prices.noPrice')}</p>
      <ul className="stack-2">
        {found.map((one) => (
          <li key={one.code}>
            <a
              className="link"
              href={`${address}?item=${encodeURIComponent(one.code)}&currency=${asked.currency}&level=${asked.level}`}
            >
              {one.name}
            </a>{' '}
            <bdi className="sub mono">{one.code}</bdi>
          </li>
        ))}
      </ul>
    </section>
  )
}
