import { Button } from '#ui/button.tsx'
import { ChipLink, ChipRow } from '#ui/chip.tsx'
import { Denominations } from '#ui/denomination.tsx'
import { DetailHeader, DetailLayout, DetailLine } from '#ui/detail.tsx'
import { foreign } from '#ui/foreign.ts'
import { IconList } from '#ui/list.tsx'
import { Panel } from '#ui/panel.tsx'
import { Picture } from '#ui/picture.tsx'
import { Segmented } from '#ui/segmented.tsx'
import { Crumbs } from '../goods/breadcrumbs.tsx'
import { useHref, useT } from '../i18n.tsx'
import css from './game.module.css'
import type { GameData } from './load.ts'
import { AmountTile, unitNote } from '../product/amount-tile.tsx'
import { Trust } from '../product/trust.tsx'
import { OFFER, type GameOffer, type OfferLink } from './offer.ts'

interface Part {
  readonly data: GameData
}

/** What there is for a game in one panel, HTML alone: every choice of it is an address, the amount goes on to the page where it is bought. */
export function Page({ data }: Part) {
  return (
    <div className="wrap">
      <Crumbs items={data.crumbs} />
      <Header data={data} />
      <DetailLayout
        still
        aside={
          <>
            {data.offer === null ? null : <Before data={data} offer={data.offer} />}
            {data.news.length === 0 ? null : <News data={data} />}
          </>
        }
      >
        {data.offer === null ? null : <Offer offer={data.offer} />}
      </DetailLayout>
    </div>
  )
}

function Header({ data }: Part) {
  const href = useHref()
  const header = (
    <DetailHeader
      cover={{ src: data.image, width: 240, height: 320, alt: '' }}
      title={data.name}
      lang={data.lang}
    >
      {data.publisher === null && data.released === null ? null : (
        <DetailLine>
          {data.publisher === null ? null : <bdi>{data.publisher}</bdi>}
          {data.released === null ? null : <span>{data.released}</span>}
        </DetailLine>
      )}
      <DetailLine>
        {data.platforms.map((platform) => (
          <ChipLink key={platform.path} href={href(platform.path)}>
            {platform.text}
          </ChipLink>
        ))}
      </DetailLine>
    </DetailHeader>
  )
  return (
    <div className={data.art === null ? css.head : `${css.head} ${css.world}`}>
      {data.art === null ? null : <img src={data.art} {...ART} alt="" fetchPriority="high" />}
      {header}
    </div>
  )
}

const ART = { width: 1125, height: 703 }

/** What to know before buying, beside the panel: when it is there, how to pay, whom to ask. */
function Before({ data, offer }: Part & { readonly offer: GameOffer }) {
  return (
    <Panel className={css.before}>
      <IconList items={offer.assurances} />
      <Trust data={{ payTypes: data.payTypes, help: offer.help }} />
    </Panel>
  )
}

function Offer({ offer }: { readonly offer: GameOffer }) {
  const t = useT()
  const href = useHref()
  return (
    <Panel id={OFFER} className={css.offer}>
      {offer.kinds.length === 1 ? null : (
        <Segmented
          label={t('home.kinds')}
          items={offer.kinds.map((kind) => ({
            href: href(kind.path),
            text: kind.text,
            count: kind.count,
            current: kind.isCurrent,
          }))}
        />
      )}
      <div>
        <h2>
          <bdi lang={offer.lang}>{offer.name}</bdi>
        </h2>
        <p className="small muted">{offer.note}</p>
      </div>
      <Choice label={offer.kind} links={offer.brands} />
      <Choice label={t('product.chooseRegion')} links={offer.regions} isShown />
      <form action={href(offer.path)} autoComplete="off" className="stack">
        {offer.unit === null ? null : <p className="small muted">{unitNote(offer, t)}</p>}
        <Denominations label={t(`product.choose.${offer.choice}`)}>
          {offer.items.map((item) => (
            <AmountTile
              key={item.code}
              item={item}
              isPopular={item.code === offer.popular}
              defaultChecked={item.code === offer.chosen}
            />
          ))}
        </Denominations>
        <Button look="pay" size="large" type="submit" block>
          {offer.submit}
        </Button>
      </form>
    </Panel>
  )
}

/** Ways to the others, when there are any; `isShown`: the label is seen too. */
function Choice({
  label,
  links,
  isShown = false,
}: {
  readonly label: string
  readonly links: readonly OfferLink[]
  readonly isShown?: boolean
}) {
  const href = useHref()
  if (links.length < 2) return null
  return (
    <div>
      {isShown ? (
        <p className={css.label} aria-hidden="true">
          {label}
        </p>
      ) : null}
      <ChipRow wrap role="navigation" aria-label={label}>
        {links.map((link) => (
          <ChipLink
            key={link.path}
            href={href(link.path)}
            lang={link.lang}
            current={link.isCurrent}
          >
            {link.text}
          </ChipLink>
        ))}
      </ChipRow>
    </div>
  )
}

function News({ data }: Part) {
  const t = useT()
  const href = useHref()
  return (
    <Panel minor title={t('game.news')}>
      <ul className={css.news}>
        {data.news.map((article) => (
          <li key={article.path}>
            <a href={href(article.path)}>
              <Picture src={article.image} width={386} height={241} alt="" ratio="wide" />
              <span>
                <b>
                  <span {...foreign(article.lang)}>{article.title}</span>
                </b>
                <small>{article.date}</small>
              </span>
            </a>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
