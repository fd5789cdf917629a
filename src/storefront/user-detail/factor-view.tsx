import { useState } from 'react'
import { ButtonLink } from '#ui/button.tsx'
import { CodeField } from '#ui/code-field.tsx'
import { ConfirmPanel } from '#ui/confirm-panel.tsx'
import { CopyLine, QrFigure, RecoveryCodes } from '#ui/copy.tsx'
import { Note } from '#ui/note.tsx'
import { Panel } from '#ui/panel.tsx'
import type { Outcome } from '../forms/form.ts'
import { usePageState } from '../forms/page-state.tsx'
import type { ProofData } from '../forms/proof-data.ts'
import { useHref, useT } from '../i18n.tsx'
import { forms } from './forms.ts'
import { SECURITY, StepForm, type StepProps } from './step.tsx'
import css from './user-detail.module.css'

/** What the authenticator app is told. */
interface Invitation {
  readonly uri: string
  readonly seed: string
}

/** Three steps in place: who it is, the app and its first code, the recovery codes. */
export function FactorStep({ data, proof }: StepProps) {
  const t = useT()
  const { outcome } = usePageState()
  const [invitation, setInvitation] = useState(invitationIn(outcome))
  const [codes, setCodes] = useState(outcome?.form === 'confirmFactor' ? codesIn(outcome) : [])
  if (codes.length > 0) return <Codes codes={codes} lead={t('account.factorTurnedOn')} />
  if (invitation)
    return (
      <ScanStep
        invitation={invitation}
        store={data.store}
        proof={proof}
        onDone={(answer) => setCodes(codesOf(answer))}
      />
    )
  return (
    <Panel title={t('account.factorConfirm')} className="stack">
      <p className="muted">{t('account.factorText')}</p>
      <StepForm
        name="beginFactor"
        form={forms.beginFactor}
        proof={proof}
        onDone={(answer) =>
          setInvitation((answer as { readonly invitation: Invitation | null }).invitation)
        }
        submit={t('form.next')}
      />
    </Panel>
  )
}

function invitationIn(outcome: Outcome | undefined): Invitation | null {
  if (outcome?.form === 'beginFactor' && outcome.isDone)
    return (outcome.data as { readonly invitation: Invitation | null }).invitation
  const { uri, seed } = outcome?.form === 'confirmFactor' ? outcome.values : {}
  return uri && seed ? { uri, seed } : null
}

function codesOf(answer: unknown): readonly string[] {
  return (answer as { readonly recovery_codes: readonly string[] }).recovery_codes
}

function codesIn(outcome: Outcome): readonly string[] {
  return outcome.isDone ? codesOf(outcome.data) : []
}

interface ScanStepProps {
  readonly invitation: Invitation
  readonly store: string
  readonly proof: ProofData
  readonly onDone: (answer: unknown) => void
}

function ScanStep({ invitation, store, proof, onDone }: ScanStepProps) {
  const t = useT()
  return (
    <Panel title={t('account.factorConfirm')}>
      <div className={css.scan}>
        <QrFigure text={invitation.uri} label={t('account.factorQrLabel', { store })} />
        <div className="stack-l">
          <p>{t('account.factorScan')}</p>
          <div className="stack-s">
            <p className="small muted">{t('account.factorKey')}</p>
            <CopyLine
              text={invitation.seed}
              texts={{ copy: t('form.copy'), copied: t('form.copied') }}
            />
          </div>
          <StepForm
            name="confirmFactor"
            form={forms.confirmFactor}
            proof={proof}
            onDone={onDone}
            submit={t('account.factorConfirm')}
            isWide
          >
            {(view) => (
              <>
                <input type="hidden" name="uri" value={invitation.uri} />
                <input type="hidden" name="seed" value={invitation.seed} />
                <CodeField
                  id="confirm"
                  label={t('account.factorCode')}
                  hint={t('account.factorCodeHint')}
                  required
                  {...view.field('confirm')}
                />
              </>
            )}
          </StepForm>
        </div>
      </div>
    </Panel>
  )
}

function Codes({ codes, lead }: { readonly codes: readonly string[]; readonly lead?: string }) {
  const t = useT()
  const href = useHref()
  return (
    <>
      {lead === undefined ? null : (
        <Note tone="ok" role="status">
          {lead}
        </Note>
      )}
      <Panel title={t('account.recovery')} className="stack">
        <p className="muted">{t('account.recoveryText')}</p>
        <RecoveryCodes
          label={t('account.recovery')}
          codes={codes}
          texts={{ copy: t('form.copy'), copied: t('form.copied') }}
        />
        <div>
          <ButtonLink look="solid" href={href(SECURITY)}>
            {t('account.recoveryKept')}
          </ButtonLink>
        </div>
      </Panel>
    </>
  )
}

export function RecoveryStep({ proof }: { readonly proof: ProofData }) {
  const t = useT()
  const { outcome } = usePageState()
  const [codes, setCodes] = useState(outcome?.form === 'renewRecovery' ? codesIn(outcome) : [])
  if (codes.length > 0) return <Codes codes={codes} />
  return (
    <Panel title={t('account.recoveryNew')} className="stack">
      <p className="muted">{t('account.recoveryNewText')}</p>
      <StepForm
        name="renewRecovery"
        form={forms.renewRecovery}
        proof={proof}
        onDone={(answer) => setCodes(codesOf(answer))}
        submit={t('account.recoveryNew')}
      />
    </Panel>
  )
}

export function TurnOffStep({ proof }: { readonly proof: ProofData }) {
  const t = useT()
  return (
    <ConfirmPanel title={t('account.factorTurnOffTitle')} notes={[t('account.factorTurnOffText')]}>
      <StepForm
        name="removeFactor"
        form={forms.removeFactor}
        proof={proof}
        submit={t('account.factorTurnOff')}
        isBad
      />
    </ConfirmPanel>
  )
}
