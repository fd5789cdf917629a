import { Icon } from '#ui/icon.tsx'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import { GoodsForm } from './form.tsx'
import type { GoodsNewData } from './load.ts'

const HERE = `${CONSOLE_PATH}/products/new`

/** Goods made by hand: a brand with its first product, another region of a brand, more items, or a copy of what is there. */
export function Page({ data }: { readonly data: GoodsNewData }) {
  const t = useT()
  const { start, of } = data
  return (
    <>
      <div className="pg">
        <div>
          <a className="back" href={`${CONSOLE_PATH}/products`}>
            <Icon name="left" />
            {t('console.products.nav')}
          </a>
          <h1>{t('console.goodsNew.title')}</h1>
          <p>
            {of === null ? (
              t('console.goodsNew.lead')
            ) : (
              <>
                {t(`console.goodsNew.of.${start.makes}`)} <bdi>{of}</bdi>
              </>
            )}
          </p>
        </div>
      </div>
      {data.mayMake ? (
        <GoodsForm key={`${start.makes} ${of ?? ''}`} data={data} />
      ) : (
        <p className="note">{t('console.goodsNew.needsPrices')}</p>
      )}
      <Beside data={data} />
    </>
  )
}

/** The way to what is there already: to add to it, or to begin with a copy. */
function Beside({ data: { found, search } }: { readonly data: GoodsNewData }) {
  const t = useT()
  return (
    <section className="panel stack-2" aria-labelledby="new-beside">
      <h2 id="new-beside">{t('console.goodsNew.beside')}</h2>
      <form className="row wrapx" action={HERE}>
        <label className="field grow">
          <span className="sr">{t('console.products.find')}</span>
          <input
            className="input"
            name="q"
            type="search"
            defaultValue={search}
            placeholder={t('console.products.find')}
            maxLength={100}
          />
        </label>
        <button type="submit" className="btn edge">
          <Icon name="search" />
          {t('console.keys.searchGo')}
        </button>
      </form>
      {found?.length === 0 && <p>{t('console.products.noneFound')}</p>}
      {found && found.length > 0 && (
        <ul className="inbox">
          {found.map((one) => (
            <li key={one.product} className="row between wrapx">
              <span>
                <b dir="auto">{one.brandName}</b> <span dir="auto">{one.region}</span>
                <br />
                <small>
                  <bdi className="mono">{one.product}</bdi>
                </small>
              </span>
              <span className="row wrapx">
                <a className="btn edge sm" href={`${HERE}?product=${one.product}`}>
                  {t('console.goodsNew.addItems')}
                </a>
                <a className="btn edge sm" href={`${HERE}?brand=${one.brand}`}>
                  {t('console.goodsNew.addRegion')}
                </a>
                <a className="btn edge sm" href={`${HERE}?copy=${one.product}`}>
                  {t('console.goodsNew.copy')}
                </a>
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
