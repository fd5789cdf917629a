import { useState } from 'react'
import { Icon } from '#ui/icon.tsx'
import { Pager } from '../kit/pager.tsx'
import { Views } from '../kit/views.tsx'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import { Files } from './files.tsx'
import { Keys } from './keys.tsx'
import type { BatchData } from './load.ts'
import { Moves } from './moves.tsx'
import { Terms } from './terms.tsx'

const STATUSES = ['free', 'claimed', 'delivered', 'quarantined', 'void'] as const

/** One batch: what it cost, what has become of its keys, and what to do about them. */
export function Page({ data }: { readonly data: BatchData }) {
  const t = useT()
  const { row } = data
  const [selected, select] = useState<ReadonlySet<string>>(new Set())
  const here = `/keys/${row.item}`
  return (
    <>
      <div className="pg">
        <div>
          <a className="back" href={CONSOLE_PATH + here}>
            <Icon name="left" />
            <bdi>{row.item}</bdi>
          </a>
          <h1>
            <bdi>{row.file}</bdi>
          </h1>
          <p>
            {row.at}, <bdi>{row.by}</bdi>{' '}
            {row.reported > 0 && (
              <span className="badge bad">
                {t('console.keys.reports', { count: row.reported })}
              </span>
            )}{' '}
            {row.isWithdrawn && <span className="st gone">{t('console.keys.withdrawn')}</span>}
          </p>
        </div>
      </div>
      {data.mayImport && (
        <Terms
          data={data}
          key={`${data.terms.supplier}${data.costText}${data.terms.cost?.currency}`}
        />
      )}
      {data.mayImport && (
        <Moves data={data} selected={[...selected]} onDone={() => select(new Set())} />
      )}
      {(data.mayExport || data.exports.length > 0) && <Files data={data} />}
      <Views
        views={STATUSES.map((name) => ({ name, text: t(`console.keys.is.${name}`) }))}
        current={data.status}
        address={(status) => `${here}/${row.id}?status=${status}`}
      />
      <section className="panel flush">
        {data.keys.length === 0 ? (
          <div className="empty">
            <h2>{t('console.keys.noKeys')}</h2>
          </div>
        ) : (
          <Keys data={data} selected={selected} onSelect={select} />
        )}
        <Pager next={data.next} />
      </section>
    </>
  )
}
