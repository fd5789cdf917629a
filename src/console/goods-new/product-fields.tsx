import { Labelled } from '../kit/labelled.tsx'
import { useT } from '../words.tsx'
import { productCodeOf } from './draft.ts'
import type { PartProps } from './form.tsx'

/** Where a new product works, and in what its prices and values are. */
export function ProductFields({ draft, write, faults, data: { choices } }: PartProps) {
  const t = useT()
  const currencies = choices.currencies.map(({ code }) => ({ value: code, text: code }))
  const at = (field: string) => faults[`products[0].${field}`]
  return (
    <section className="panel stack-2" aria-labelledby="new-product">
      <h2 id="new-product">{t('console.goodsNew.product')}</h2>
      <div className="row wrapx">
        <Select
          id="new-region"
          label={t('console.products.region')}
          hint={t('console.goodsNew.regionHint')}
          value={draft.region}
          options={choices.regions.map(({ code, name }) => ({ value: code, text: name }))}
          choose={(region) => write({ region })}
          fault={at('region') ?? at('code')}
        />
        <Select
          id="new-currency"
          label={t('console.goodsNew.currency')}
          value={draft.currency}
          options={currencies}
          choose={(currency) => write({ currency })}
          fault={at('currency')}
        />
        <Select
          id="new-face"
          label={t('console.goodsNew.faceCurrency')}
          value={draft.faceCurrency}
          options={[
            { value: '', text: draft.currency },
            ...currencies.filter(({ value }) => value !== draft.currency),
          ]}
          choose={(faceCurrency) => write({ faceCurrency })}
          fault={at('face_currency')}
        />
      </div>
      {draft.brand !== '' && (
        <p className="hint">
          {t('console.goodsNew.address')}: <bdi className="mono">{productCodeOf(draft)}</bdi>
        </p>
      )}
    </section>
  )
}

export function Select({
  id,
  label,
  hint,
  value,
  options,
  choose,
  fault,
}: {
  readonly id: string
  readonly label: string
  readonly hint?: string
  readonly value: string
  readonly options: readonly { readonly value: string; readonly text: string }[]
  readonly choose: (value: string) => void
  readonly fault: string | undefined
}) {
  return (
    <Labelled id={id} label={label} hint={hint} fault={fault}>
      <select
        className="input"
        id={id}
        value={value}
        onChange={(event) => choose(event.target.value)}
        aria-invalid={fault !== undefined}
        aria-describedby={fault === undefined ? undefined : `${id}-fault`}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.text}
          </option>
        ))}
      </select>
    </Labelled>
  )
}
