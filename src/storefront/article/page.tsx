import { ButtonLink } from '#ui/button.tsx'
import { DetailLayout } from '#ui/detail.tsx'
import { Empty } from '#ui/empty.tsx'
import { foreign } from '#ui/foreign.ts'
import { Icon } from '#ui/icon.tsx'
import { Opening } from '#ui/opening.tsx'
import { Panel } from '#ui/panel.tsx'
import { RackScene } from '#ui/scene.tsx'
import { Way, Ways } from '#ui/ways.tsx'
import { Crumbs } from '../goods/breadcrumbs.tsx'
import { useHref, useT } from '../i18n.tsx'
import { CompanyPanel } from '../text/company.tsx'
import { EnglishOnly, paragraphs, TextSections } from '../text/sections.tsx'
import css from './article.module.css'
import type { ArticleData } from './load.ts'

export function Page({ data }: { readonly data: ArticleData }) {
  const t = useT()
  const href = useHref()
  if (data.sections.length === 0) {
    return (
      <Empty level={1} title={data.title} text={t('content.missing')}>
        <ButtonLink href={href('/support')}>{t('content.toSupport')}</ButtonLink>
      </Empty>
    )
  }
  return (
    <div className="wrap">
      <Crumbs items={data.crumbs} />
      {data.company === null ? <Rules data={data} /> : <Proposal data={data} />}
    </div>
  )
}

/** What holds, to be read and looked up in: its parts and the other rules beside it. */
function Rules({ data }: { readonly data: ArticleData }) {
  const t = useT()
  const href = useHref()
  return (
    <DetailLayout
      aside={
        <>
          <Contents data={data} />
          <Panel minor title={t('api.footerLegal')}>
            <ul className="stack-s">
              {data.others.map((other) => (
                <li key={other.path}>
                  <a className="link small" href={href(other.path)}>
                    {other.title}
                  </a>
                </li>
              ))}
            </ul>
          </Panel>
        </>
      }
    >
      <h1>{data.title}</h1>
      {data.inForceSince === null ? null : (
        <p className="small muted">{t('content.inForceSince', { date: data.inForceSince })}</p>
      )}
      <EnglishOnly lang={data.lang} />
      <TextSections sections={data.sections} lang={data.lang} withAnchors />
    </DetailLayout>
  )
}

/** As wide as it is of use: on a phone the text itself comes first. */
function Contents({ data }: { readonly data: ArticleData }) {
  const t = useT()
  return (
    <Panel minor title={t('content.contents')} className={css.contents}>
      <ol className="stack-s">
        {data.sections.map(({ heading }, index) =>
          heading === undefined ? null : (
            <li key={heading}>
              <a className="link small" href={`#s${index}`}>
                <span {...foreign(data.lang)}>{heading}</span>
              </a>
            </li>
          ),
        )}
      </ol>
    </Panel>
  )
}

/** What the shop offers to others: a card for each of them, and whom to write to. */
function Proposal({ data }: { readonly data: ArticleData }) {
  const { company } = data
  if (company === null) return null
  return (
    <div className={css.proposal}>
      <Opening
        title={data.title}
        actions={
          <ButtonLink look="solid" href={`mailto:${company.mail}`}>
            <Icon name="mail" />
            <bdi dir="ltr" className={css.mail}>
              {company.mail}
            </bdi>
          </ButtonLink>
        }
        scene={<RackScene signs={['store', 'card', 'chart', null]} main={2} priced />}
      >
        <EnglishOnly lang={data.lang} />
      </Opening>
      <Ways few>
        {data.sections.map((section, index) => (
          <Way
            key={index}
            {...(section.icon === undefined ? {} : { icon: section.icon })}
            title={section.heading ?? data.title}
            lang={data.lang}
            text={paragraphs(section)}
          />
        ))}
        <CompanyPanel company={company} />
      </Ways>
    </div>
  )
}
