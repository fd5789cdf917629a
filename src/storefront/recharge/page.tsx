import { useEffect, useState, type ComponentProps } from 'react'
import { Button } from '#ui/button.tsx'
import { DetailLayout } from '#ui/detail.tsx'
import { Empty } from '#ui/empty.tsx'
import { SelectField } from '#ui/field.tsx'
import { Step } from '#ui/panel.tsx'
import { SectionHeader } from '#ui/section.tsx'
import { FORM_FIELD } from '../forms/form-field.ts'
import { Crumbs } from '../goods/breadcrumbs.tsx'
import { useFollowing } from '../goods/following.ts'
import { useHref, useT } from '../i18n.tsx'
import { chosenCountry } from '../state/selection.ts'
import { isSignedIn } from '../state/session.ts'
import { Check } from './check.tsx'
import { COUNTRY } from './fields.ts'
import type { RechargeData } from './load.ts'
import {
  DetectedOperator,
  isNumberAsked,
  NumberField,
  OPERATORS,
  RechargedBefore,
} from './number-field.tsx'
import { Marks } from './operator-marks.tsx'
import type { Personal } from './personal.tsx'
import { Lists, Plans } from './plans.tsx'
import css from './recharge.module.css'

export function Page({ data }: { readonly data: RechargeData }) {
  const { operator, posted } = data
  const [item, setItem] = useFollowing<string | null>(posted?.item || null)
  const plan =
    operator?.plans.find((entry) => entry.item === item) ??
    operator?.plans.find((entry) => entry.inStock && entry.price !== null) ??
    null
  return (
    <div className="wrap">
      <Crumbs items={data.crumbs} />
      {/* The same frame before and after the operator is found: the number goes on being typed in it. */}
      <DetailLayout
        lead={<h1>{data.title}</h1>}
        aside={<Check data={data} plan={plan} />}
        rest={
          <>
            {data.country ? <Operators data={data} /> : <Popular data={data} />}
            <OfPerson operator={operator} choose={setItem} />
          </>
        }
      >
        <Whose data={data} />
        {operator ? <Plans data={data} plan={plan} onChoose={setItem} /> : null}
      </DetailLayout>
    </div>
  )
}

/** The page is the same for everybody: what belongs to somebody comes afterwards. */
function OfPerson(props: ComponentProps<typeof Personal>) {
  const [kept, setKept] = useState<typeof import('./personal.tsx') | null>(null)
  useEffect(() => {
    if (isSignedIn()) void import('./personal.tsx').then(setKept, () => undefined)
  }, [])
  return kept ? <kept.Personal {...props} /> : null
}

/** Country and number. Without script the form finds out the operator, or shows those of the country. */
function Whose({ data }: { readonly data: RechargeData }) {
  const t = useT()
  const href = useHref()
  const [country, setCountry] = useFollowing(data.country?.code ?? '')
  const { countries } = data
  const isOpen = data.country === null

  useEffect(() => {
    const kept = chosenCountry()
    if (isOpen && kept !== null && countries.some(({ code }) => code === kept)) setCountry(kept)
    // Only what the page begins with: a choice made since stays.
  }, [isOpen, countries])

  return (
    <Step title={t('recharge.whose')}>
      <form
        method="post"
        action={href(data.form)}
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          isNumberAsked.set(true)
        }}
      >
        <input type="hidden" name={FORM_FIELD} value="detect" />
        <div className="two">
          <SelectField
            id="recharge-country"
            name={COUNTRY}
            label={t('recharge.country')}
            value={country}
            onChange={({ target: { value } }) => {
              setCountry(value)
              if (value !== '')
                location.assign(href(`/mobile-recharge/${data.list}?country=${value}`))
            }}
          >
            <option value="">{t('recharge.chooseCountry')}</option>
            {countries.map((entry) => (
              <option key={entry.code} value={entry.code}>
                {entry.dialCode === ''
                  ? entry.name
                  : t('recharge.countryOption', { country: entry.name, code: entry.dialCode })}
              </option>
            ))}
          </SelectField>
          <NumberField data={data} />
        </div>
        <DetectedOperator data={data} />
        <RechargedBefore />
        {data.operator ? null : (
          <div className={css.submit}>
            <Button type="submit" look="solid">
              {t('recharge.showOperators')}
            </Button>
          </div>
        )}
      </form>
    </Step>
  )
}

function Operators({ data }: { readonly data: RechargeData }) {
  const t = useT()
  const operators = data.country?.operators ?? []
  return (
    <section id={OPERATORS} className={css.choice}>
      <SectionHeader title={t('recharge.operators')} />
      {data.operator ? null : <Lists data={data} />}
      {operators.length === 0 ? (
        <Empty title={t('recharge.noDataTitle')} text={t('recharge.noDataText')} />
      ) : (
        <Marks
          operators={operators.map((operator) => ({
            ...operator,
            isCurrent: operator.code === data.operator?.code,
          }))}
        />
      )}
    </section>
  )
}

function Popular({ data }: { readonly data: RechargeData }) {
  const t = useT()
  return (
    <section className={css.choice}>
      <SectionHeader
        title={t('recharge.popular')}
        note={t('recharge.popularNote', { count: data.countries.length })}
      />
      <Marks
        operators={data.popular.map(({ country, ...operator }) => ({ ...operator, note: country }))}
      />
    </section>
  )
}
