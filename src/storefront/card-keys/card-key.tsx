import { useState, type ReactNode } from 'react'
import type { RevealedView } from '#features/buying/vault/schema.ts'
import { Button, ButtonLink } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { CallForm } from '../forms/call-form.tsx'
import { Refusal } from '../forms/code-sent.tsx'
import { usePageState } from '../forms/page-state.tsx'
import { ProvenForm } from '../forms/proof.tsx'
import { useHref, useT } from '../i18n.tsx'
import css from './card-keys.module.css'
import type { KeyRow, KeysState } from './data.ts'
import { KEY_FORMS } from './forms.ts'
import { keyPath } from './key-path.ts'
import { KeyReport } from './key-report.tsx'
import { Revealed } from './revealed.tsx'

export interface CardKeyProps {
  readonly row: KeyRow
  readonly keys: KeysState
  /** In a list of keys: what it is, at the start of the line. Left out, it stands in a box of its own under its `title`. */
  readonly lead?: ReactNode
  /** "Code 1". */
  readonly title?: string
}

/**
 * One key. What it says comes in the answer of the call that reveals it and lives in this component alone: gone when hidden, after
 * a minute, and with the page.
 */
export function CardKey({ row, keys, lead, title }: CardKeyProps) {
  const { outcome } = usePageState()
  const [shown, setShown] = useState<RevealedView | null>(() => {
    const posted =
      outcome?.form === 'revealKey' && outcome.isDone ? (outcome.data as RevealedView) : null
    return posted?.id === row.id ? posted : null
  })
  const step = keys.named?.id === row.id ? keys.named.step : null
  const isAsking = shown === null && row.can.reveal && step === 'reveal' && !keys.proof.isFresh
  const isReporting = step === 'report' && row.can.report
  const action =
    shown !== null || isAsking || !row.can.reveal ? null : (
      <RevealAction row={row} keys={keys} isSolid={lead === undefined} onRevealed={setShown} />
    )
  return (
    <div className={lead === undefined ? css.box : css.row} id={`key-${row.id}`}>
      {lead === undefined ? (
        <div className={css.head}>
          <b>{title}</b>
          <span>{row.state_text}</span>
        </div>
      ) : (
        <>
          {lead}
          <p className={css.masked}>
            {shown === null ? <bdi className="mono">{row.masked}</bdi> : null}
            <span className="small muted">{row.state_text}</span>
          </p>
          <div className={css.action}>{action}</div>
        </>
      )}
      {lead === undefined && action ? <div className={css.foil}>{action}</div> : null}
      {shown === null && !isAsking && !isReporting ? null : (
        <div className={css.panel}>
          {shown === null ? null : (
            <Revealed row={row} keys={keys} shown={shown} onHide={() => setShown(null)} />
          )}
          {isAsking ? <RevealAsking row={row} keys={keys} onRevealed={setShown} /> : null}
          {isReporting ? <KeyReport row={row} keys={keys} /> : null}
        </div>
      )}
      {lead === undefined && !row.can.reveal ? (
        <p className={css.void}>
          <bdi className="mono">{row.masked}</bdi>
        </p>
      ) : null}
    </div>
  )
}

interface RevealProps {
  readonly row: KeyRow
  readonly keys: KeysState
  readonly onRevealed: (shown: RevealedView) => void
}

/** Right after a proof one press is enough; else the page with the proof comes first, also where it has grown old meanwhile. */
function RevealAction({
  row,
  keys,
  isSolid,
  onRevealed,
}: RevealProps & { readonly isSolid: boolean }) {
  const t = useT()
  const href = useHref()
  const text = (
    <>
      <Icon name="eye" />
      {t(row.state === 'revealed' ? 'cardpwd.revealAgain' : 'cardpwd.reveal')}
      <span className="sr">
        : {row.name}, {row.label}, {row.masked}
      </span>
    </>
  )
  const look = isSolid ? 'solid' : 'edge'
  if (!keys.proof.isFresh) {
    return (
      <ButtonLink look={look} href={href(keyPath(keys, row.id))}>
        {text}
      </ButtonLink>
    )
  }
  return (
    <CallForm
      name="revealKey"
      form={KEY_FORMS.revealKey}
      onDone={(data) => onRevealed(data as RevealedView)}
      onRefused={({ code }) =>
        code === PROOF_NEEDED && location.assign(href(keyPath(keys, row.id)))
      }
    >
      {(view) => (
        <>
          <input type="hidden" name="id" value={row.id} />
          <Button type="submit" look={look} busy={view.busy}>
            {text}
          </Button>
          {view.outcome?.values['id'] === row.id ? <Refusal view={view} /> : null}
        </>
      )}
    </CallForm>
  )
}

/** Envelope code of a call that wants the proof anew. */
const PROOF_NEEDED = 2403

function RevealAsking({ row, keys, onRevealed }: RevealProps) {
  const t = useT()
  const href = useHref()
  return (
    <ProvenForm
      name="revealKey"
      form={KEY_FORMS.revealKey}
      proof={keys.proof}
      className={`stack ${css.narrow}`}
      onDone={(data) => onRevealed(data as RevealedView)}
    >
      {(view, asked) => (
        <>
          <Refusal view={view} />
          <p>{t('cardpwd.proveFirst')}</p>
          <input type="hidden" name="id" value={row.id} />
          {asked}
          <div className="row">
            <Button type="submit" look="solid" busy={view.busy}>
              {t('cardpwd.revealCode')}
            </Button>
            <ButtonLink look="ghost" href={href(keys.path)}>
              {t('form.cancel')}
            </ButtonLink>
          </div>
        </>
      )}
    </ProvenForm>
  )
}
