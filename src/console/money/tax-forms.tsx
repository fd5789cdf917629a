import { useEffect, useId, useState } from 'react'
import { TAX_CLASSES, TAXED_CLASSES, type TaxClass } from '#features/goods/tax/rules.ts'
import { callConsole, readConsole } from '../browser/call.ts'
import { refreshPage } from '../browser/navigation.ts'
import { Fault } from '../kit/fault.tsx'
import { Choice, LineField } from '../kit/fields.tsx'
import { Labelled } from '../kit/labelled.tsx'
import { useAttempt, type Attempt } from '../kit/use-attempt.ts'
import { useT } from '../words.tsx'
import type { TaxView } from './tax.ts'

interface Told {
  readonly products: number
  readonly apart: number
  readonly class: TaxClass | null
}

/** Waits until nobody types any more. */
const TYPED_MS = 400

/** What a class would change, asked anew whenever it is about other goods. A text where it cannot be told. */
function useTold(product: string, country: string, version: string): Told | string | null {
  const t = useT()
  const [told, setTold] = useState<Told | string | null>(null)
  useEffect(() => {
    const ending = new AbortController()
    const query = { ...(product === '' ? {} : { product }), ...(country === '' ? {} : { country }) }
    setTold(null)
    const timer = setTimeout(() => {
      readConsole<Told>('money/tax/effect', query, ending.signal).then(
        (outcome) =>
          setTold(
            outcome.isDone
              ? outcome.data
              : (outcome.fields['product'] ?? outcome.fields['country'] ?? outcome.message),
          ),
        () => {
          if (!ending.signal.aborted) setTold(t('console.unreachable'))
        },
      )
    }, TYPED_MS)
    return () => {
      clearTimeout(timer)
      ending.abort()
    }
    // biome-ignore lint/correctness/useExhaustiveDependencies: the translator is the same for a whole visit
  }, [product, country, version])
  return told
}

interface Props {
  readonly shown: TaxView
}

interface ClassWish {
  readonly product: string
  readonly country: string
  readonly class: TaxClass | 'unset'
}

export function TaxClassForm({ shown: { version, countries } }: Props) {
  const t = useT()
  const attempt = useAttempt()
  const heading = useId()
  const [wish, setWish] = useState<ClassWish>({ product: '', country: '', class: 'single_purpose' })
  const [isSaved, setSaved] = useState(false)
  const product = wish.product.trim()
  async function save() {
    const done = await attempt.run(() =>
      callConsole('money/tax/class', {
        product: product === '' ? null : product,
        country: wish.country === '' ? null : wish.country,
        class: wish.class === 'unset' ? null : wish.class,
        version,
      }),
    )
    if (!done) return
    setSaved(true)
    refreshPage()
  }
  return (
    <form
      className="panel stack-2"
      aria-labelledby={heading}
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <h2 id={heading}>{t('console.tax.setClass')}</h2>
      <ClassFields
        wish={wish}
        countries={countries}
        fault={attempt.fields['product']}
        write={(part) => {
          setSaved(false)
          setWish({ ...wish, ...part })
        }}
      />
      <ClassEffect wish={{ ...wish, product }} version={version} />
      <Saved attempt={attempt} isSaved={isSaved} />
      <div className="row">
        <button type="submit" className="btn solid" disabled={attempt.isBusy}>
          {t('console.tax.saveClass')}
        </button>
      </div>
    </form>
  )
}

function ClassFields({
  wish,
  countries,
  fault,
  write,
}: Pick<TaxView, 'countries'> & {
  readonly wish: ClassWish
  readonly fault: string | undefined
  readonly write: (part: Partial<ClassWish>) => void
}) {
  const t = useT()
  return (
    <div className="row wrapx">
      <LineField
        label={t('console.tax.productField')}
        value={wish.product}
        max={200}
        write={(product) => write({ product })}
        fault={fault}
      />
      <Choice
        label={t('console.tax.country')}
        value={wish.country}
        options={[
          { value: '', text: t('console.tax.allCountries') },
          ...countries.map(({ code, name }) => ({ value: code, text: name })),
        ]}
        choose={(country) => write({ country })}
      />
      <Choice
        label={t('console.tax.class')}
        value={wish.class}
        options={[...TAX_CLASSES, 'unset' as const].map((each) => ({
          value: each,
          text: t(`console.tax.class.${each}`),
        }))}
        choose={(chosen) => write({ class: chosen as ClassWish['class'] })}
      />
    </div>
  )
}

/** What saving it would change, before it is saved. */
function ClassEffect({ wish, version }: { readonly wish: ClassWish; readonly version: string }) {
  const t = useT()
  const told = useTold(wish.product, wish.country, version)
  return (
    <section className="fx" aria-live="polite" aria-busy={told === null}>
      <h3>
        {t('console.effect')}
        <span>{t('console.acts.notYet')}</span>
      </h3>
      <p>{t(`console.tax.text.${wish.class}`)}</p>
      {typeof told === 'string' && <p className="down">{told}</p>}
      {told !== null && typeof told !== 'string' && (
        <p>
          {t('console.tax.effect', { number: told.products })}{' '}
          {told.apart > 0 && t('console.tax.apart', { number: told.apart })}{' '}
          {t('console.tax.classNow', { class: t(`console.tax.class.${told.class ?? 'unset'}`) })}
        </p>
      )}
    </section>
  )
}

function Saved({ attempt, isSaved }: { readonly attempt: Attempt; readonly isSaved: boolean }) {
  const t = useT()
  return (
    <>
      <Fault text={attempt.fault} />
      <p role="status" className={isSaved ? 'note ok' : 'sr'}>
        {isSaved && t('console.tax.saved')}
      </p>
    </>
  )
}

/** "19", "5.5" or "5,5" as hundredths of a percent; null for what is no percentage. */
function basisPointsOf(text: string): number | null {
  const [, whole, part = ''] = /^(\d{1,3})(?:[.,](\d{1,2}))?$/.exec(text.trim()) ?? []
  return whole === undefined ? null : Number(whole) * 100 + Number(part.padEnd(2, '0'))
}

interface RateWish {
  readonly country: string
  readonly class: string
  readonly rate: string
  readonly from: string
}

export function TaxRateForm({ shown }: Props) {
  const { version, countries, today } = shown
  const t = useT()
  const attempt = useAttempt()
  const heading = useId()
  const [wish, setWish] = useState<RateWish>({
    country: '',
    class: 'single_purpose',
    rate: '',
    from: today,
  })
  const [isSaved, setSaved] = useState(false)
  const country = countries.find(({ code }) => code === wish.country)?.name ?? ''
  async function save() {
    const done = await attempt.run(() =>
      callConsole('money/tax/rate', {
        ...wish,
        // What is no percentage is refused at its field.
        rate: basisPointsOf(wish.rate) ?? -1,
        version,
      }),
    )
    if (!done) return
    setSaved(true)
    refreshPage()
  }
  return (
    <form
      className="panel stack-2"
      aria-labelledby={heading}
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <h2 id={heading}>{t('console.tax.setRate')}</h2>
      <RateFields
        wish={wish}
        shown={shown}
        attempt={attempt}
        write={(part) => {
          setSaved(false)
          setWish({ ...wish, ...part })
        }}
      />
      {country !== '' && basisPointsOf(wish.rate) !== null && (
        <section className="fx" aria-live="polite">
          <h3>
            {t('console.effect')}
            <span>{t('console.acts.notYet')}</span>
          </h3>
          <p>{t('console.tax.rateEffect', { date: wish.from, rate: wish.rate.trim(), country })}</p>
        </section>
      )}
      <Saved attempt={attempt} isSaved={isSaved} />
      <div className="row">
        <button
          type="submit"
          className="btn solid"
          disabled={attempt.isBusy || wish.country === ''}
        >
          {t('console.tax.saveRate')}
        </button>
      </div>
    </form>
  )
}

function RateFields({
  wish,
  shown: { countries, today },
  attempt: { fields },
  write,
}: Props & {
  readonly wish: RateWish
  readonly attempt: Attempt
  readonly write: (part: Partial<RateWish>) => void
}) {
  const t = useT()
  const [rate, from] = [useId(), useId()]
  return (
    <div className="row wrapx">
      <Choice
        label={t('console.tax.country')}
        value={wish.country}
        options={[
          { value: '', text: '–' },
          ...countries.map(({ code, name }) => ({ value: code, text: name })),
        ]}
        choose={(country) => write({ country })}
      />
      <Choice
        label={t('console.tax.class')}
        value={wish.class}
        options={TAXED_CLASSES.map((each) => ({
          value: each,
          text: t(`console.tax.class.${each}`),
        }))}
        choose={(chosen) => write({ class: chosen })}
      />
      <Labelled id={rate} label={t('console.tax.rate')} fault={fields['rate']}>
        <input
          className="input"
          id={rate}
          inputMode="decimal"
          required
          value={wish.rate}
          maxLength={6}
          autoComplete="off"
          aria-invalid={fields['rate'] !== undefined}
          onChange={(event) => write({ rate: event.target.value })}
        />
      </Labelled>
      <Labelled id={from} label={t('console.tax.from')} fault={fields['from']}>
        <input
          className="input"
          id={from}
          type="date"
          required
          min={today}
          value={wish.from}
          onChange={(event) => write({ from: event.target.value })}
        />
      </Labelled>
    </div>
  )
}
