import { State } from '../kit/state.tsx'
import { useT } from '../words.tsx'
import { TaxClassForm, TaxRateForm } from './tax-forms.tsx'
import type { TaxView } from './tax.ts'

const LOOKS = { now: 'done', planned: 'way', ended: 'gone' } as const

/** How goods are taxed, the rates of countries, and whether invoices are made. */
export function Tax({ shown }: { readonly shown: TaxView }) {
  const t = useT()
  return (
    <>
      <Classes shown={shown} />
      {shown.maySet && <TaxClassForm shown={shown} />}
      <Rates shown={shown} />
      {shown.maySet && <TaxRateForm shown={shown} />}
      <section className="panel stack-2" aria-labelledby="tax-invoices">
        <h2 id="tax-invoices">{t('console.order.invoices')}</h2>
        <p>
          {shown.invoices === null ? (
            t('console.tax.invoicesOff')
          ) : (
            <bdi>
              {t('console.tax.invoicesOn', { name: shown.invoices.name, id: shown.invoices.taxId })}
            </bdi>
          )}
        </p>
      </section>
    </>
  )
}

function Classes({ shown: { classes } }: { readonly shown: TaxView }) {
  const t = useT()
  return (
    <section className="panel flush" aria-labelledby="tax-classes">
      <div className="panel-h">
        <h2 id="tax-classes">{t('console.tax.classes')}</h2>
        <p>{t('console.tax.classesText')}</p>
      </div>
      {classes.length === 0 ? (
        <div className="empty line-t">
          <h2>{t('console.tax.noClasses')}</h2>
          <p>{t('console.tax.noClassesText')}</p>
        </div>
      ) : (
        <div className="scrollx line-t" tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th>{t('console.tax.product')}</th>
                <th>{t('console.tax.country')}</th>
                <th>{t('console.tax.class')}</th>
                <th className="num">{t('console.tax.rateNow')}</th>
                <th>{t('console.tax.setBy')}</th>
              </tr>
            </thead>
            <tbody>
              {classes.map((row) => (
                <tr key={`${row.product} ${row.country}`}>
                  <td className={row.product === null ? undefined : 'mono small'}>
                    <bdi>{row.product ?? t('console.tax.allProducts')}</bdi>
                  </td>
                  <td>{row.country ?? t('console.tax.allCountries')}</td>
                  <td>{t(`console.tax.class.${row.taxClass}`)}</td>
                  <td className="num">
                    <bdi>{row.rate ?? '–'}</bdi>
                  </td>
                  <td>
                    <bdi>{row.by}</bdi>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}

function Rates({ shown: { rates } }: { readonly shown: TaxView }) {
  const t = useT()
  return (
    <section className="panel flush" aria-labelledby="tax-rates">
      <div className="panel-h">
        <h2 id="tax-rates">{t('console.tax.rates')}</h2>
        <p>{t('console.tax.ratesText')}</p>
      </div>
      {rates.length === 0 ? (
        <div className="empty line-t">
          <h2>{t('console.tax.noRates')}</h2>
        </div>
      ) : (
        <div className="scrollx line-t" tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th>{t('console.tax.country')}</th>
                <th>{t('console.tax.class')}</th>
                <th className="num">{t('console.tax.rate')}</th>
                <th>{t('console.tax.from')}</th>
                <th>{t('console.orders.state')}</th>
                <th>{t('console.tax.setBy')}</th>
              </tr>
            </thead>
            <tbody>
              {rates.map((row) => (
                <tr key={row.id}>
                  <td>{row.country}</td>
                  <td>{t(`console.tax.class.${row.taxClass}`)}</td>
                  <td className="num">
                    <bdi>{row.rate}</bdi>
                  </td>
                  <td>{row.from ?? '–'}</td>
                  <td>
                    <State look={LOOKS[row.state]} text={t(`console.tax.state.${row.state}`)} />
                  </td>
                  <td>
                    <bdi>{row.by}</bdi>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}
