import { ButtonLink } from '#ui/button.tsx'
import { ChipLink, ChipRow } from '#ui/chip.tsx'
import { Empty } from '#ui/empty.tsx'
import { Crumbs } from '../goods/breadcrumbs.tsx'
import { useHref, useT } from '../i18n.tsx'
import { Contacts } from '../text/contacts.tsx'
import { EnglishOnly, TextSections } from '../text/sections.tsx'
import type { ArticleData } from './load.ts'
import css from './article.module.css'

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
    <div className={`wrap ${css.page}`}>
      <Crumbs items={data.crumbs} />
      <h1>{data.title}</h1>
      {data.inForceSince === null ? null : (
        <p className="small muted">{t('content.inForceSince', { date: data.inForceSince })}</p>
      )}
      {data.contacts === null ? null : <Contacts {...data.contacts} />}
      <EnglishOnly lang={data.lang} />
      <TextSections sections={data.sections} lang={data.lang} />
      <ChipRow wrap role="navigation" aria-label={t('content.more')}>
        {data.others.map((other) => (
          <ChipLink key={other.path} href={href(other.path)}>
            {other.title}
          </ChipLink>
        ))}
      </ChipRow>
    </div>
  )
}
