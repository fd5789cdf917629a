import { useState, type FormEvent } from 'react'
import { Icon } from '#ui/icon.tsx'
import { Fault } from '../kit/fault.tsx'
import { useT } from '../words.tsx'
import { BrandFields } from './brand-fields.tsx'
import { documentOf, type Draft } from './draft.ts'
import { Items } from './items.tsx'
import type { GoodsNewData } from './load.ts'
import { MadeNote } from './made.tsx'
import { ProductFields } from './product-fields.tsx'
import { useMaking, type GoodsPreview } from './use-making.ts'

export interface PartProps {
  readonly draft: Draft
  readonly write: (change: Partial<Draft>) => void
  readonly faults: Readonly<Record<string, string>>
  readonly data: GoodsNewData
}

/** One form for what is new; looked at by the rules of an import before it is made. What was typed stays, whatever is answered. */
export function GoodsForm({ data }: { readonly data: GoodsNewData }) {
  const t = useT()
  const making = useMaking()
  const [draft, setDraft] = useState(data.start)
  const [isOnSale, setOnSale] = useState(false)
  const digits = new Map(data.choices.currencies.map(({ code, digits: places }) => [code, places]))
  const write = (change: Partial<Draft>) => {
    making.forget()
    setDraft((before) => ({ ...before, ...change }))
  }
  function submit(event: FormEvent) {
    event.preventDefault()
    const brand = documentOf(draft, digits)
    void (making.told ? making.make(brand, isOnSale) : making.look(brand, isOnSale))
  }
  if (making.made)
    return (
      <MadeNote
        made={making.made}
        again={() => {
          making.forget()
          setDraft(data.start)
        }}
      />
    )
  const parts = { draft, write, faults: making.faults, data }
  return (
    <form className="stack-2" onSubmit={submit} noValidate>
      {draft.makes === 'brand' && <BrandFields {...parts} />}
      {draft.makes !== 'items' && <ProductFields {...parts} />}
      <Items {...parts} />
      <section className="panel stack-2">
        <label className="check">
          <input
            type="checkbox"
            checked={isOnSale}
            onChange={(event) => {
              making.forget()
              setOnSale(event.target.checked)
            }}
          />
          <span>
            {t('console.goodsNew.onSale')}
            <br />
            <small>{t('console.goodsNew.onSaleHint')}</small>
          </span>
        </label>
        <OtherFaults faults={making.faults} draft={draft} />
        {making.told && <Told told={making.told} />}
        <Fault text={making.fault} />
        <div className="row wrapx">
          <button type="submit" className="btn solid" disabled={making.isBusy}>
            <Icon name="check" />
            {t(
              making.told === null
                ? 'console.goodsNew.look'
                : isOnSale
                  ? 'console.goodsNew.makeOnSale'
                  : 'console.goodsNew.makeDraft',
            )}
          </button>
        </div>
      </section>
    </form>
  )
}

/** What would be made, by name. */
function Told({ told }: { readonly told: GoodsPreview }) {
  const t = useT()
  const parts = [
    ['brands', told.brands],
    ['products', told.products],
    ['items', told.items],
  ] as const
  return (
    <div className="note" role="status">
      <ul className="stack-2 small">
        {parts.map(
          ([name, list]) =>
            list.length > 0 && (
              <li key={name}>
                {t(`console.goodsFiles.${name}`, { count: list.length })}{' '}
                <bdi>
                  {list
                    .slice(0, 6)
                    .map((one) => (name === 'products' ? one.code : one.name))
                    .join(', ')}
                  {list.length > 6 && ' …'}
                </bdi>
              </li>
            ),
        )}
      </ul>
    </div>
  )
}

const SHOWN =
  /^(?:name|code|kind|delivery|unit|categories.*|products\[0\]\.(?:code|region|currency|face_currency)|products\[0\]\.items\[\d+\]\.(?:code|kind|name|face|units|days|price|stock))$/

/** What is at fault where the form has no field for it: in what was copied, say. */
function OtherFaults({ faults }: Pick<PartProps, 'faults' | 'draft'>) {
  const others = Object.entries(faults).filter(([path]) => !SHOWN.test(path))
  if (others.length === 0) return null
  return (
    <ul className="stack-2 small" role="alert">
      {others.map(([path, text]) => (
        <li key={path}>
          <bdi className="mono">{path}</bdi>: {text}
        </li>
      ))}
    </ul>
  )
}
