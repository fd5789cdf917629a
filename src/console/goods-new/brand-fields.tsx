import { Choice, LineField } from '../kit/fields.tsx'
import { useT } from '../words.tsx'
import { addressOf, BRAND_KINDS, newItem, usualItemKind, type Draft } from './draft.ts'
import type { PartProps } from './form.tsx'

const DELIVERIES = ['card_key', 'direct_charge'] as const
const NAME_MAX = 300
const CODE_MAX = 100

/** What a new brand is. */
export function BrandFields({ draft, write, faults, data: { choices } }: PartProps) {
  const t = useT()
  const categoryFault = Object.entries(faults).find(([path]) => path.startsWith('categories'))?.[1]
  const kind = (chosen: string) => write(ofKind(draft, chosen))
  return (
    <section className="panel stack-2" aria-labelledby="new-brand">
      <h2 id="new-brand">{t('console.goodsNew.brand')}</h2>
      <div className="row wrapx">
        <LineField
          label={t('console.goodsNew.name')}
          value={draft.name}
          max={NAME_MAX}
          required
          write={(name) =>
            write({ name, ...(draft.isBrandTyped ? {} : { brand: addressOf(name) }) })
          }
          fault={faults['name']}
        />
        <LineField
          label={t('console.goodsNew.address')}
          hint={t('console.goodsNew.addressHint')}
          value={draft.brand}
          max={CODE_MAX}
          required
          write={(brand) => write({ brand, isBrandTyped: true })}
          fault={faults['code']}
        />
      </div>
      <div className="row wrapx">
        <Choice
          label={t('console.products.kind')}
          value={draft.kind}
          options={BRAND_KINDS.map((one) => ({
            value: one,
            text: t(`console.goodsNew.kind.${one}`),
          }))}
          choose={kind}
        />
        <Choice
          label={t('console.goodsNew.delivery')}
          value={draft.delivery}
          options={DELIVERIES.map((one) => ({
            value: one,
            text: t(`console.goodsNew.delivery.${one}`),
          }))}
          choose={(delivery) => write({ delivery })}
        />
        {draft.kind === 'top_up' && (
          <Choice
            label={t('console.goodsNew.unit')}
            value={draft.unit}
            options={[
              { value: '', text: '–' },
              ...choices.units.map(({ code, name }) => ({ value: code, text: name })),
            ]}
            choose={(unit) => write({ unit })}
          />
        )}
      </div>
      <Categories draft={draft} write={write} data={{ choices }} />
      {categoryFault !== undefined && <p role="alert">{categoryFault}</p>}
    </section>
  )
}

/** What usually follows from a kind, as long as no item is begun. */
function ofKind({ items }: Draft, kind: string): Partial<Draft> {
  const isUntouched = items.every(({ figure, name }) => figure === '' && name === '')
  return {
    kind,
    delivery: kind === 'top_up' ? 'direct_charge' : 'card_key',
    ...(isUntouched ? { items: [newItem(usualItemKind(kind))] } : {}),
  }
}

function Categories({
  draft,
  write,
  data: { choices },
}: Pick<PartProps, 'draft' | 'write'> & { readonly data: Pick<PartProps['data'], 'choices'> }) {
  const t = useT()
  const choose = (code: string, isChosen: boolean) =>
    write({
      categories: isChosen
        ? [...draft.categories, code]
        : draft.categories.filter((one) => one !== code),
    })
  return (
    <details>
      <summary>
        {t('console.goodsNew.categories')} ({draft.categories.length})
      </summary>
      <div className="checks">
        {choices.categories.map(({ code, name }) => (
          <label key={code} className="check">
            <input
              type="checkbox"
              checked={draft.categories.includes(code)}
              onChange={(event) => choose(code, event.target.checked)}
            />
            <span dir="auto">{name}</span>
          </label>
        ))}
      </div>
    </details>
  )
}
