import { useEffect, useRef } from 'react'
import type { RevealedView } from '#features/buying/vault/schema.ts'
import { Button, ButtonLink } from '#ui/button.tsx'
import { CopyButton } from '#ui/copy.tsx'
import { Icon } from '#ui/icon.tsx'
import { CallForm } from '../forms/call-form.tsx'
import { useHref, useT } from '../i18n.tsx'
import css from './card-keys.module.css'
import type { KeyRow, KeysState } from './data.ts'
import { KEY_FORMS } from './forms.ts'
import { keyPath } from './key-path.ts'

const SHOWN_MS = 60_000

export interface RevealedProps {
  readonly row: KeyRow
  readonly keys: KeysState
  readonly shown: RevealedView
  readonly onHide: () => void
}

/** What a key says, how it is used, and what can be done about it. */
export function Revealed({ row, keys, shown, onHide }: RevealedProps) {
  const t = useT()
  const href = useHref()
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // The button that was pressed is gone.
    element.current?.focus({ preventScroll: true })
  }, [])
  useEffect(() => {
    const timer = setTimeout(onHide, SHOWN_MS)
    return () => clearTimeout(timer)
  }, [shown])
  return (
    <div
      className="stack"
      ref={element}
      tabIndex={-1}
      role="group"
      aria-label={`${row.name}, ${row.label}`}
    >
      <Saying shown={shown} />
      <Redeeming redeem={row.redeem} />
      <div className="row">
        {row.can.mark ? <MarkUsed row={row} /> : null}
        <Button look="ghost" size="small" className={css.scripted} onClick={onHide}>
          <Icon name="eye-off" />
          {t('cardpwd.hide')}
        </Button>
        {row.can.report ? (
          <ButtonLink look="ghost" size="small" href={href(keyPath(keys, row.id, 'report'))}>
            <Icon name="chat" />
            {t('cardpwd.report')}
          </ButtonLink>
        ) : null}
      </div>
      <p className={`small muted ${css.scripted}`}>{t('cardpwd.hidesItself')}</p>
    </div>
  )
}

function Saying({ shown }: { readonly shown: RevealedView }) {
  const t = useT()
  const copying = { copy: t('cardpwd.copy'), copied: t('cardpwd.copied') }
  return (
    <>
      {shown.parts.length === 0 ? null : (
        <dl className={css.parts}>
          {shown.parts.map(({ name, label, value }) => (
            <div key={name}>
              <dt>{label}</dt>
              <dd>
                <bdi className="mono" dir="ltr">
                  {value}
                </bdi>
                <CopyButton text={value} texts={copying} framed />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {shown.url === null ? null : (
        <p className={css.link}>
          <bdi className="mono small" dir="ltr">
            {shown.url}
          </bdi>
          {shown.url.startsWith('https://') ? (
            <ButtonLink look="solid" href={shown.url} target="_blank" rel="noopener noreferrer">
              <Icon name="link" />
              {t('cardpwd.openLink')}
            </ButtonLink>
          ) : null}
        </p>
      )}
      {shown.picture === null ? null : (
        <img className={css.picture} src={shown.picture} alt={t('cardpwd.pictureAlt')} />
      )}
    </>
  )
}

function Redeeming({ redeem: { at, steps } }: Pick<KeyRow, 'redeem'>) {
  const t = useT()
  if (at === null && steps.length === 0) return null
  return (
    <div className="stack-s">
      <h3 className={css.how}>{t('cardpwd.howTo')}</h3>
      {at === null ? null : <p className="small muted">{t('cardpwd.redeemAt', { place: at })}</p>}
      <ol className={css.steps}>
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </div>
  )
}

function MarkUsed({ row }: Pick<RevealedProps, 'row'>) {
  const t = useT()
  const isUsed = row.state === 'used'
  return (
    <CallForm name="markKey" form={KEY_FORMS.markKey}>
      {(view) => (
        <>
          <input type="hidden" name="id" value={row.id} />
          <input type="hidden" name="used" value={isUsed ? '' : '1'} />
          <Button type="submit" size="small" busy={view.busy}>
            <Icon name={isUsed ? 'refresh' : 'check'} />
            {isUsed ? t('cardpwd.markUnused') : t('cardpwd.markUsed')}
          </Button>
        </>
      )}
    </CallForm>
  )
}
