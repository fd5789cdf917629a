import { Note } from '#ui/note.tsx'
import { Panel } from '#ui/panel.tsx'
import { joined } from '#ui/class-names.ts'
import css from './delivery-scale.module.css'
import type { DeliveryScale as ScaleData } from './standing.ts'

/** The time since payment on the scale of what deliveries of these goods take; the sentence says it all to whoever does not see the bar. */
export function DeliveryScale({ scale }: { readonly scale: ScaleData }) {
  return (
    <Panel className="stack">
      <p className={css.since}>
        <b>{scale.since}</b>
        <span className="small muted">{scale.measured}</span>
      </p>
      <div className={css.scale} aria-hidden="true">
        <div className={joined(css.track, scale.late !== null && css.late)}>
          <i style={{ inlineSize: `${scale.elapsed}%` }} />
          {scale.marks.map(({ at }) => (
            <u key={at} style={{ insetInlineStart: `${at}%` }} />
          ))}
        </div>
        <div className={css.marks}>
          {scale.marks.map(({ at, text }) => (
            <span key={at} style={{ insetInlineStart: `${at}%` }}>
              <bdi>{text}</bdi>
            </span>
          ))}
        </div>
      </div>
      {scale.late === null ? null : <Note tone="warn">{scale.late}</Note>}
    </Panel>
  )
}
