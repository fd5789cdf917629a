import { Badge } from '#ui/badge.tsx'
import { ButtonLink } from '#ui/button.tsx'
import { Note } from '#ui/note.tsx'
import { Panel } from '#ui/panel.tsx'
import { Picture } from '#ui/picture.tsx'
import { useHref, useT } from '../i18n.tsx'
import type { OrderDetailData, ShownLine, ShownUnit } from './load.ts'
import css from './order-detail.module.css'

/** What was bought, and what has become of each piece. */
export function Goods({ order, lines }: Pick<OrderDetailData, 'order' | 'lines'>) {
  const t = useT()
  const hasCodes = lines.some(({ units }) => units.some(({ isReadable }) => isReadable))
  return (
    <Panel title={t(lines.every(({ isCard }) => isCard) && hasCodes ? 'order.codes' : 'order.goods')} className="stack">
      {lines.map((line, index) => (
        <Line key={index} order={order} line={line} />
      ))}
      {hasCodes ? <Note>{t('order.codeNote')}</Note> : null}
    </Panel>
  )
}

function Line({ order, line }: { readonly order: string; readonly line: ShownLine }) {
  const t = useT()
  const href = useHref()
  return (
    <div className={css.line}>
      <Picture src={line.image} width={240} height={320} alt="" />
      <div>
        <b>
          <bdi>{line.name}</bdi>
        </b>
        <p className="small muted">
          <bdi>{line.note}</bdi>
        </p>
        <Fields fields={line.fields} />
        {line.path !== null && line.isCard ? (
          <a className="link small" href={href(line.path)}>
            {t('order.howToRedeem')}
          </a>
        ) : null}
      </div>
      <div className={css.end}>
        <bdi className="num">{line.total}</bdi>
      </div>
      {line.units.length === 0 ? null : (
        <div className={css.units}>
          <Units order={order} line={line} />
        </div>
      )}
    </div>
  )
}

function Fields({ fields }: Pick<ShownLine, 'fields'>) {
  return fields.length === 0 ? null : (
    <dl className={css.fields}>
      {fields.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Each code by itself; what is credited, by how far it is. */
function Units({ order, line }: { readonly order: string; readonly line: ShownLine }) {
  if (line.isCard) return line.units.map((unit) => <Code key={unit.id} order={order} unit={unit} />)
  const groups = [...Map.groupBy(line.units, ({ status }) => status)]
  return groups.map(([status, units]) => (
    <p key={status}>
      <Badge tone={units[0]?.tone ?? undefined}>{units.length === 1 && groups.length === 1 ? status : `${units.length} × ${status}`}</Badge>
    </p>
  ))
}

function Code({ order, unit }: { readonly order: string; readonly unit: ShownUnit }) {
  const t = useT()
  const href = useHref()
  return (
    <div className={css.unit}>
      <b>{unit.label}</b>
      {unit.isReadable ? (
        <span className="row">
          <span className="small muted">{t(unit.isUsed ? 'order.used' : unit.isRevealed ? 'order.revealed' : 'order.notRevealed')}</span>
          <ButtonLink look="solid" size="small" href={href(`/user/cardpwd?order=${order}`)}>
            {t('order.showCode')}
            <span className="sr"> {unit.label}</span>
          </ButtonLink>
        </span>
      ) : (
        <Badge tone={unit.tone ?? undefined}>{unit.status}</Badge>
      )}
    </div>
  )
}
