import { Accordion } from '#ui/accordion.tsx'
import { ChipLink, ChipRow } from '#ui/chip.tsx'
import { ButtonLink } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'
import { foreign } from '#ui/foreign.ts'
import { Opening } from '#ui/opening.tsx'
import { Panel } from '#ui/panel.tsx'
import { RackScene } from '#ui/scene.tsx'
import { SearchBox } from '#ui/search-box.tsx'
import { Crumbs } from '../goods/breadcrumbs.tsx'
import { useHref, useT } from '../i18n.tsx'
import { Contacts } from '../text/contacts.tsx'
import { EnglishOnly, TextSections } from '../text/sections.tsx'
import type { SupportData } from './load.ts'
import css from './support.module.css'

export function Page({ data }: { readonly data: SupportData }) {
  const t = useT()
  const href = useHref()
  return (
    <div className={`wrap ${css.page}`}>
      <Crumbs items={data.crumbs} />
      {/* Who asked comes for the answers: no scene stands before them. */}
      <Opening
        title={data.title}
        scene={
          data.keywords === null ? <RackScene signs={['key', 'info', 'refresh']} main={1} /> : null
        }
      >
        <SearchBox
          key={data.keywords}
          action={href('/support/search')}
          label={t('support.searchLabel')}
          landmark={t('support.searchLabel')}
          submit={t('support.search')}
          input={{
            id: 'support-search',
            name: 'keywords',
            defaultValue: data.keywords ?? '',
            maxLength: 200,
          }}
        />
        <EnglishOnly lang={data.lang} />
      </Opening>
      <div className={data.groups.length > 1 ? css.body : undefined}>
        {data.groups.length > 1 ? (
          <div className={css.topics}>
            <ChipRow role="navigation" aria-label={t('support.topics')}>
              {data.groups.map((group) => (
                <ChipLink key={group.code} href={`#${group.code}`}>
                  {group.name}
                </ChipLink>
              ))}
            </ChipRow>
          </div>
        ) : null}
        <div className="stack-l">
          {data.groups.map((group) => (
            <Group key={group.code} group={group} lang={data.lang} />
          ))}
        </div>
      </div>
      {data.keywords !== null && data.total === 0 ? (
        <Empty
          level={2}
          title={data.keywords === '' ? t('support.askTitle') : t('support.noMatchTitle')}
          text={
            data.keywords === ''
              ? t('support.askText')
              : t('support.noMatchText', { keywords: data.keywords })
          }
        >
          <ButtonLink href={href('/support')}>{t('support.showAll')}</ButtonLink>
        </Empty>
      ) : null}
      <Contacts {...data.contacts} />
    </div>
  )
}

function Group({
  group,
  lang,
}: {
  readonly group: SupportData['groups'][number]
  readonly lang: SupportData['lang']
}) {
  const t = useT()
  const href = useHref()
  return (
    <Panel id={group.code} title={group.name} className={css.group}>
      {group.questions.map((question) => (
        <Accordion key={question.code} title={<span {...foreign(lang)}>{question.title}</span>}>
          <TextSections sections={[{ paragraphs: question.answer }]} lang={lang} />
          <p className={css.more}>
            <a
              className="link small"
              href={href(`/support/details?code=${question.code}`)}
              aria-label={t('support.openQuestion', { question: question.title })}
            >
              {t('support.open')}
            </a>
          </p>
        </Accordion>
      ))}
    </Panel>
  )
}
