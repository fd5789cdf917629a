import { Badge } from '#ui/badge.tsx'
import { DetailHeader, DetailLayout, DetailLine } from '#ui/detail.tsx'
import { Steps } from '#ui/panel.tsx'
import { Stars } from '#ui/rating.tsx'
import { SectionHeader } from '#ui/section.tsx'
import { PRODUCT_FIELD } from '../forms/goods-fields.ts'
import { Crumbs } from '../goods/breadcrumbs.tsx'
import { Seen } from '../goods/seen.tsx'
import { GoodsTiles } from '../goods/tiles.tsx'
import { useHref, useT, useWords } from '../i18n.tsx'
import { island } from '../islands.ts'
import { AccountStep } from './account-step.tsx'
import { AmountStep } from './amount-step.tsx'
import { buyData } from './buy-data.ts'
import { createBuying, FORM_ID } from './buying.ts'
import { CheckAndPay, PayBar } from './check-and-pay.tsx'
import { FavouriteButton } from './favourite-button.tsx'
import { GoodToKnow, HowItWorks, Reviews } from './good-to-know.tsx'
import type { SeenProduct } from '../state/seen.ts'
import type { ProductData } from './load.ts'
import { RegionNotice, RegionRow } from './region-row.tsx'

export { buyData as islands }

/** HTML with islands over one store (`islands.tsx`): what is chosen and typed, the summary, the bar of a phone, the heart. */
export function Page({ data }: { readonly data: ProductData }) {
  const buying = createBuying(buyData(data), useWords())
  const href = useHref()
  const isTopUp = data.fields.length > 0
  return (
    <div className="wrap">
      <Crumbs items={data.crumbs} />
      <DetailLayout
        aside={<CheckAndPay data={data} buying={buying} />}
        rest={
          <>
            {isTopUp ? <HowItWorks data={data} /> : null}
            <GoodToKnow data={data} withHowTo={!isTopUp} />
            <Reviews data={data} />
          </>
        }
      >
        <Header data={data} />
        {data.regions.length > 1 ? <RegionRow data={data} /> : null}
        {/* The rules are ours to tell, in the page's language. Without script the cart's page takes the form. */}
        <Steps id={FORM_ID} method="post" action={href('/shop-cart')} noValidate>
          <input type="hidden" name={PRODUCT_FIELD} value={data.path} />
          <AmountStep buying={buying} unit={data.unit}>
            <RegionNotice data={data} />
          </AmountStep>
          {isTopUp ? <AccountStep buying={buying} figures={data.figures} /> : null}
        </Steps>
      </DetailLayout>
      <Related data={data} />
      <Seen here={seenOf(data)} />
      <PayBar buying={buying} />
    </div>
  )
}

function Header({ data }: { readonly data: ProductData }) {
  return (
    <DetailHeader
      cover={{ src: data.cover, width: 300, height: 400, alt: '', hanging: data.isHanging }}
      title={data.name}
      lang={data.lang}
      action={<Favourite data={data} />}
    >
      {data.rating === null && data.sold === null ? null : (
        <DetailLine>
          {data.rating === null ? null : (
            <>
              <Stars average={data.rating.average} label={data.rating.starsLabel} />
              <b className="num">{data.rating.text}</b>
              <a className="link num" href="#reviews">
                {data.rating.count}
              </a>
            </>
          )}
          {data.sold === null ? null : <span>{data.sold}</span>}
        </DetailLine>
      )}
      <DetailLine>
        {data.badges.map((badge) => (
          <Badge key={badge.text} icon={badge.icon} tone={badge.tone}>
            {badge.text}
          </Badge>
        ))}
      </DetailLine>
    </DetailHeader>
  )
}

/** Without script it leads to the favourites, which ask with a button of their own. */
function Favourite({ data }: { readonly data: ProductData }) {
  const href = useHref()
  return (
    <form action={href('/user/collect')} {...island('favourite')}>
      <FavouriteButton code={data.code} path={data.path} />
    </form>
  )
}

function Related({ data }: { readonly data: ProductData }) {
  const t = useT()
  return data.related.length === 0 ? null : (
    <section className="below">
      <SectionHeader title={t('product.related')} />
      <GoodsTiles tiles={data.related} columns={7} few={6} />
    </section>
  )
}

function seenOf({ path, name, lang, cover, region }: ProductData): SeenProduct {
  return { path, name, ...(lang === undefined ? {} : { lang }), image: cover, region }
}
