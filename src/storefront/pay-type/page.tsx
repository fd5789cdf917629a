import { Note } from '#ui/note.tsx'
import { CardGrid } from '#ui/news.tsx'
import { Panel } from '#ui/panel.tsx'
import { Crumbs } from '../goods/breadcrumbs.tsx'
import { useHref } from '../i18n.tsx'
import type { PayTypeData } from './load.ts'
import css from './pay-type.module.css'

/** The icons are plates of this size. */
const ICON = { width: 48, height: 32 }

export function Page({ data }: { readonly data: PayTypeData }) {
  const href = useHref()
  return (
    <div className={`wrap ${css.page}`}>
      <Crumbs items={data.crumbs} />
      <h1>{data.title}</h1>
      <Note lead={data.note.lead}>{data.note.text}</Note>
      <CardGrid>
        {data.types.map((type) => (
          <Panel key={type.code} className="stack-s">
            <img src={type.icon} {...ICON} alt="" />
            <h2 className={css.name}>{type.name}</h2>
            {type.text === '' ? null : <p className="small muted">{type.text}</p>}
          </Panel>
        ))}
      </CardGrid>
      <p>
        <a className="link" href={href('/support')}>
          {data.more}
        </a>
      </p>
    </div>
  )
}
