import { Icon } from '#ui/icon.tsx'
import { Labelled } from '../kit/labelled.tsx'
import { useT } from '../words.tsx'
import {
  ITEM_FIGURES,
  ITEM_KINDS,
  itemCodeOf,
  newItem,
  usualItemKind,
  type ItemDraft,
  type ItemKind,
} from './draft.ts'
import type { PartProps } from './form.tsx'
import { Select } from './product-fields.tsx'

const ITEMS_MOST = 200

/** What is bought: a line an item. */
export function Items(props: PartProps) {
  const t = useT()
  const { draft, write } = props
  const last = draft.items.at(-1)
  return (
    <section className="panel stack-2" aria-labelledby="new-items">
      <h2 id="new-items">{t('console.goodsNew.itemsTitle')}</h2>
      {draft.items.map((item, at) => (
        <Item
          key={item.key}
          {...props}
          item={item}
          at={at}
          change={(change) =>
            write({
              items: draft.items.map((one) => (one.key === item.key ? { ...one, ...change } : one)),
            })
          }
        />
      ))}
      {draft.items.length < ITEMS_MOST && (
        <button
          type="button"
          className="btn edge sm"
          onClick={() =>
            write({ items: [...draft.items, newItem(last?.kind ?? usualItemKind(draft.kind))] })
          }
        >
          <Icon name="plus" />
          {t('console.goodsNew.addItem')}
        </button>
      )}
    </section>
  )
}

interface ItemProps extends PartProps {
  readonly item: ItemDraft
  readonly at: number
  readonly change: (change: Partial<ItemDraft>) => void
}

function Item({ draft, write, faults, item, at, change }: ItemProps) {
  const t = useT()
  const figure = ITEM_FIGURES[item.kind]
  const fault = (field: string) => faults[`products[0].items[${at}].${field}`]
  const line = (
    field: 'figure' | 'name' | 'price' | 'stock',
    label: string,
    wrong: string | undefined,
    isNumber = true,
  ) => (
    <Labelled id={`${item.key}-${field}`} label={label} fault={wrong}>
      <input
        className="input"
        id={`${item.key}-${field}`}
        value={item[field]}
        maxLength={field === 'name' ? 300 : 24}
        inputMode={isNumber ? 'decimal' : undefined}
        dir={isNumber ? 'ltr' : 'auto'}
        autoComplete="off"
        onChange={(event) => change({ [field]: event.target.value })}
        aria-invalid={wrong !== undefined}
        aria-describedby={wrong === undefined ? undefined : `${item.key}-${field}-fault`}
      />
    </Labelled>
  )
  return (
    <fieldset className="stack-2 line-t">
      <legend className="sr">{t('console.goodsNew.itemNo', { number: at + 1 })}</legend>
      <div className="row wrapx">
        <Select
          id={`${item.key}-kind`}
          label={t('console.products.kind')}
          value={item.kind}
          options={ITEM_KINDS.map((one) => ({
            value: one,
            text: t(`console.goodsNew.item.${one}`),
          }))}
          choose={(kind) => change({ kind: kind as ItemKind })}
          fault={fault('kind')}
        />
        {figure !== null &&
          line(
            'figure',
            figure === 'face'
              ? t('console.goodsNew.face', { currency: draft.faceCurrency || draft.currency })
              : t(`console.goodsNew.${figure}`),
            fault(figure),
          )}
        {line('name', t('console.goodsNew.itemName'), fault('name'), false)}
        {line('price', `${t('console.products.price')} (${draft.currency})`, fault('price'))}
        {line('stock', t('console.products.stock'), fault('stock'))}
      </div>
      <div className="row between wrapx">
        <small>
          {draft.brand !== '' && <bdi className="mono">{itemCodeOf(draft, item)}</bdi>}
          {fault('code') !== undefined && <span role="alert"> {fault('code')}</span>}
        </small>
        {draft.items.length > 1 && (
          <button
            type="button"
            className="btn ghost sm"
            onClick={() => write({ items: draft.items.filter(({ key }) => key !== item.key) })}
          >
            {t('console.goodsNew.removeItem', { number: at + 1 })}
          </button>
        )}
      </div>
    </fieldset>
  )
}
