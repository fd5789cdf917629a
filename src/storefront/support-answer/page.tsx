import { foreign } from '#ui/foreign.ts'
import { Panel } from '#ui/panel.tsx'
import { Crumbs } from '../goods/breadcrumbs.tsx'
import { useHref, useT } from '../i18n.tsx'
import { Contacts } from '../text/contacts.tsx'
import { EnglishOnly, TextSections } from '../text/sections.tsx'
import type { SupportAnswerData } from './load.ts'
import css from './support-answer.module.css'

export function Page({ data }: { readonly data: SupportAnswerData }) {
  const t = useT()
  const href = useHref()
  return (
    <div className={`wrap ${css.page}`}>
      <Crumbs items={data.crumbs} />
      <h1 {...foreign(data.lang)}>{data.title}</h1>
      <EnglishOnly lang={data.lang} />
      <TextSections sections={data.sections} lang={data.lang} />
      {data.others.length === 0 ? null : (
        <Panel title={t('support.sameTopic')}>
          <ul className="stack-s">
            {data.others.map((other) => (
              <li key={other.path}>
                <a className="link" href={href(other.path)}>
                  <span {...foreign(data.lang)}>{other.title}</span>
                </a>
              </li>
            ))}
          </ul>
        </Panel>
      )}
      <Contacts {...data.contacts} />
    </div>
  )
}
