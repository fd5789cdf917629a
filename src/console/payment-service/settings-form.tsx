import { useId } from 'react'
import type { ShownSetting } from '#features/office/service-settings/engine/settings.ts'
import { Icon } from '#ui/icon.tsx'
import { Fault } from '../kit/fault.tsx'
import { CONSOLE_PATH } from '../routes.ts'
import { useT } from '../words.tsx'
import { ServiceEffect } from './service-effect.tsx'
import { useEntering, type EnteredOf, type EnteredService, type Entering } from './use-entering.ts'

/** What is said otherwise of what the shop is paid with, and of what it buys from. */
const WORDS = {
  payment: {
    althoughOpen: 'console.service.althoughOpen',
    twoPeople: 'console.service.twoPeople',
    removal: 'console.service.removeText',
  },
  supplier: {
    althoughOpen: 'console.supplier.althoughOpen',
    twoPeople: 'console.supplier.twoPeople',
    removal: 'console.supplier.removeText',
  },
} as const

/** Entered, tried with the service, and only then kept. What is kept is never shown again. */
export function SettingsForm({
  data,
  of,
}: {
  readonly data: EnteredService
  readonly of: EnteredOf
}) {
  const t = useT()
  const words = WORDS[of]
  const entering = useEntering(data, of)
  const { attempt, effect, isStale } = entering
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        void (effect && effect.changed.length > 0 ? entering.save() : entering.tryOut())
      }}
    >
      {data.settings.map((setting) => (
        <Setting key={setting.name} setting={setting} entering={entering} />
      ))}
      <p className="hint">{t('console.service.address')}</p>
      {isStale && (
        <div className="note warn stack-2">
          <p>{t('console.service.changed')}</p>
          <button type="button" className="btn edge sm" onClick={entering.goOn}>
            {t('console.service.useNew')}
          </button>
        </div>
      )}
      {effect && <ServiceEffect effect={effect} of={of} />}
      {effect?.answer === 'refused' && effect.changed.length > 0 && (
        <Although
          text={t('console.service.although')}
          name="although_refused"
          isChosen={entering.isAlthough}
          choose={entering.setAlthough}
          entering={entering}
        />
      )}
      {effect?.may_be_other === true && effect.changed.length > 0 && effect.open > 0 && (
        <Although
          text={t(words.althoughOpen)}
          name="although_open"
          isChosen={entering.isAlthoughOpen}
          choose={entering.setAlthoughOpen}
          entering={entering}
        />
      )}
      <Fault text={attempt.fault} />
      <Said entering={entering} />
      <Buttons entering={entering} />
      <div className="two-p">
        <Icon name="shield" />
        <span>{t(words.twoPeople)}</span>
      </div>
      {data.isEntered && <Removal entering={entering} text={t(words.removal)} of={of} />}
    </form>
  )
}

function Setting({
  setting,
  entering: { values, write, attempt },
}: {
  readonly setting: ShownSetting
  readonly entering: Entering
}) {
  const t = useT()
  const id = useId()
  const { name, kind, isSet, shown, options } = setting
  const fault = attempt.fields[name] ?? attempt.fields[`values.${name}`]
  const hint =
    kind !== 'choice' && isSet
      ? shown === null
        ? t('console.service.kept')
        : t('console.service.keptEnd', { end: shown })
      : t(isSet ? 'console.service.isSet' : 'console.service.notSet')
  const given = {
    id,
    className: 'input',
    'aria-invalid': fault !== undefined,
    'aria-describedby': `${id}-hint`,
  }
  return (
    <div className={fault === undefined ? 'field' : 'field err'}>
      <label htmlFor={id}>
        <bdi className="mono">{name}</bdi>
      </label>
      {kind === 'choice' ? (
        <select
          {...given}
          value={values[name] ?? shown ?? ''}
          onChange={(event) => write(name, event.target.value)}
        >
          {shown === null && <option value="">–</option>}
          {options.map((option) => (
            <option key={option}>{option}</option>
          ))}
        </select>
      ) : (
        <input
          {...given}
          type={kind === 'secret' ? 'password' : 'text'}
          dir="ltr"
          autoComplete="off"
          spellCheck={false}
          maxLength={2_000}
          value={values[name] ?? ''}
          onChange={(event) => write(name, event.target.value)}
        />
      )}
      <p className="hint" id={`${id}-hint`}>
        {hint}
      </p>
      {fault !== undefined && (
        <p className="msg" role="alert">
          {fault}
        </p>
      )}
    </div>
  )
}

/** What is dangerous is chosen, never a matter of course. */
function Although({
  text,
  name,
  isChosen,
  choose,
  entering: { attempt },
}: {
  readonly text: string
  /** Of the field that the shop answers at. */
  readonly name: string
  readonly isChosen: boolean
  readonly choose: (is: boolean) => void
  readonly entering: Entering
}) {
  const fault = attempt.fields[name]
  return (
    <div className={fault === undefined ? 'field' : 'field err'}>
      <label className="check">
        <input
          type="checkbox"
          checked={isChosen}
          onChange={(event) => choose(event.target.checked)}
          aria-invalid={fault !== undefined}
        />
        {text}
      </label>
      {fault !== undefined && (
        <p className="msg" role="alert">
          {fault}
        </p>
      )}
    </div>
  )
}

function Said({ entering: { outcome } }: { readonly entering: Entering }) {
  const t = useT()
  return (
    <p role="status" className={outcome === null ? 'sr' : 'note ok'}>
      {outcome !== null &&
        t(outcome === 'saved' ? 'console.service.saved' : 'console.service.asked')}{' '}
      {outcome === 'waits' && (
        <a className="link" href={`${CONSOLE_PATH}/approvals`}>
          {t('console.approvals.nav')}
        </a>
      )}
    </p>
  )
}

function Buttons({
  entering: { attempt, effect, tryOut, isStale },
}: {
  readonly entering: Entering
}) {
  const t = useT()
  const isReady = effect !== null && effect.changed.length > 0
  return (
    <div className="row wrapx">
      {isReady && (
        <button type="submit" className="btn solid" disabled={attempt.isBusy || isStale}>
          {t(effect.needs_second_person ? 'console.askApproval' : 'console.service.save')}
        </button>
      )}
      <button
        type={isReady ? 'button' : 'submit'}
        className={isReady ? 'btn edge' : 'btn solid'}
        disabled={attempt.isBusy || isStale}
        {...(isReady ? { onClick: () => void tryOut() } : {})}
      >
        {t('console.service.try')}
      </button>
    </div>
  )
}

function Removal({
  entering,
  text,
  of,
}: {
  readonly entering: Entering
  readonly text: string
  readonly of: EnteredOf
}) {
  const t = useT()
  const { attempt, remove } = entering
  return (
    <details>
      <summary className="link">{t('console.service.remove')}</summary>
      <div className="stack-2">
        <div className="fx">
          <h3>{t('console.effect')}</h3>
          <p>{text}</p>
        </div>
        {of === 'supplier' && <Fault text={attempt.fields['although_open'] ?? null} />}
        {of === 'payment' && attempt.fields['although_open'] !== undefined && (
          <Although
            text={t('console.service.althoughOpenGone')}
            name="although_open"
            isChosen={entering.isAlthoughOpen}
            choose={entering.setAlthoughOpen}
            entering={entering}
          />
        )}
        <button
          type="button"
          className="btn bad"
          disabled={attempt.isBusy}
          onClick={() => void remove()}
        >
          {t('console.service.remove')}
        </button>
      </div>
    </details>
  )
}
