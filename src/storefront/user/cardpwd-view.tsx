import { Button, ButtonLink } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'
import { Note } from '#ui/note.tsx'
import { Panel } from '#ui/panel.tsx'
import { Picture } from '#ui/picture.tsx'
import { CardKey } from '../card-keys/card-key.tsx'
import css from '../card-keys/card-keys.module.css'
import type { KeyRow } from '../card-keys/data.ts'
import { KEY_FORMS } from '../card-keys/forms.ts'
import { ProofStep } from '../forms/proof.tsx'
import { useHref, useT } from '../i18n.tsx'
import type { CardpwdData } from './cardpwd.ts'
import { Paging } from './paging.tsx'
import user from './user.module.css'

export function CardPasswordRoom({ data }: { readonly data: CardpwdData }) {
  const t = useT()
  const href = useHref()
  if (data.keys.length === 0) {
    return (
      <Panel>
        <Empty level={2} title={t('user.cardpwdNone')} text={t('user.cardpwdNoneText')}>
          <ButtonLink look="solid" href={href('/cards')}>
            {t('user.browseCards')}
          </ButtonLink>
        </Empty>
      </Panel>
    )
  }
  return (
    <>
      <div className={user.head}>
        <p className="muted">{data.count}</p>
        {data.isExporting ? null : (
          <ButtonLink size="small" href={href('/user/cardpwd?do=export')}>
            {t('cardpwd.export')}
          </ButtonLink>
        )}
      </div>
      {data.isExporting ? <ExportPanel data={data} /> : null}
      <Panel padding="flush">
        <ul className={css.list}>
          {data.keys.map((row) => (
            <li key={row.id}>
              <CardKey row={row} keys={data.state} lead={<Lead row={row} />} />
            </li>
          ))}
        </ul>
      </Panel>
      <Note>{t('cardpwd.safety')}</Note>
      <Paging data={data.paging} />
    </>
  )
}

function Lead({ row }: { readonly row: KeyRow }) {
  const t = useT()
  const href = useHref()
  return (
    <div className={css.lead}>
      <Picture src={row.image} width={300} height={400} alt="" />
      <div>
        <b>
          <bdi>{row.path === null ? row.name : <a href={href(row.path)}>{row.name}</a>}</bdi>
        </b>
        <p className="small">
          <bdi>{row.label}</bdi>
        </p>
        <p className={`small muted ${css.facts}`}>
          <span>
            {row.bought}
            {row.expires === null ? null : <>, {row.expires}</>}
          </span>
          <a className={`link ${user.onward}`} href={href(`/order/detail?order=${row.order}`)}>
            {t('cardpwd.order', { number: row.order_no })}
          </a>
        </p>
      </div>
    </div>
  )
}

/** A file can ask for nothing: the proof comes first. */
function ExportPanel({ data }: { readonly data: CardpwdData }) {
  const t = useT()
  const { proof } = data.state
  return (
    <Panel title={t('cardpwd.exportTitle')} className="stack">
      <p className="muted">{t('cardpwd.exportText')}</p>
      {proof.isFresh ? (
        <form method="post" action={`/api/cardpwd/export?lang=${data.language}`}>
          <Button type="submit" look="solid">
            {t('cardpwd.exportGet')}
          </Button>
        </form>
      ) : (
        <ProofStep
          name="proveForKeys"
          form={KEY_FORMS.proveForKeys}
          proof={proof}
          className={`stack ${css.narrow}`}
        />
      )}
    </Panel>
  )
}
