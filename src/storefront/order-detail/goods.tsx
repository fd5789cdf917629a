import { Badge } from '#ui/badge.tsx'
import { Note } from '#ui/note.tsx'
import { Panel } from '#ui/panel.tsx'
import { Picture } from '#ui/picture.tsx'
import { CardKey } from '../card-keys/card-key.tsx'
import type { KeyRows } from '../card-keys/data.ts'
import { useHref, useT } from '../i18n.tsx'
import type { OrderDetailData, ShownLine, ShownUnit } from './load.ts'
import css from './order-detail.module.css'

/** What was bought, and what has become of each piece. */
export function Goods({ lines, keys }: Pick<OrderDetailData, 'lines' | 'keys'>) {
  const t = useT()
  const hasCodes = lines.some(({ units }) => units.some(({ isReadable }) => isReadable))
  return (
    <Panel
      title={t(lines.every(({ isCard }) => isCard) && hasCodes ? 'order.codes' : 'order.goods')}
      className="stack"
    >
      {lines.map((line, index) => (
        <Line key={index} keys={keys} line={line} />
      ))}
      {hasCodes ? <Note>{t('order.codeNote')}</Note> : null}
    </Panel>
  )
}

interface LineProps {
  readonly keys: KeyRows | null
  readonly line: ShownLine
}

function Line({ keys, line }: LineProps) {
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
        {line.player === null ? null : (
          <p className="small">
            <bdi>{line.player}</bdi>
          </p>
        )}
        {line.path !== null && line.units.length > 0 ? (
          <a className={css.how} href={href(line.path)}>
            <span className="link small">{t('order.howToRedeem')}</span>
          </a>
        ) : null}
      </div>
      <div className={css.end}>
        <bdi className="num">{line.total}</bdi>
      </div>
      {line.units.length + line.states.length === 0 && line.more === null ? null : (
        <div className={css.units}>
          <Units keys={keys} line={line} />
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
function Units({ keys, line }: LineProps) {
  const href = useHref()
  if (line.isCard)
    return (
      <>
        {line.units.map((unit) => (
          <Code key={unit.id} keys={keys} unit={unit} />
        ))}
        {line.more === null ? null : (
          <a className="link small" href={href('/user/cardpwd')}>
            {line.more}
          </a>
        )}
      </>
    )
  return (
    <p className="row">
      {line.states.map(({ text, tone }) => (
        <Badge key={text} tone={tone ?? undefined}>
          {text}
        </Badge>
      ))}
    </p>
  )
}

function Code({ keys, unit }: { readonly keys: KeyRows | null; readonly unit: ShownUnit }) {
  const row = keys?.keys.find(({ id }) => id === unit.id)
  if (keys && row) return <CardKey row={row} keys={keys.state} title={unit.label} />
  return (
    <div className={css.unit}>
      <b>{unit.label}</b>
      <Badge tone={unit.tone ?? undefined}>{unit.status}</Badge>
    </div>
  )
}
