import { Button, ButtonLink } from '#ui/button.tsx'
import { Check } from '#ui/check.tsx'
import { ConfirmPanel } from '#ui/confirm-panel.tsx'
import { Panel } from '#ui/panel.tsx'
import { Refusal } from '../forms/code-sent.tsx'
import type { ProofData } from '../forms/proof-data.ts'
import { ProofStep, ProvenForm } from '../forms/proof.tsx'
import { useHref, useT } from '../i18n.tsx'
import { forms } from './forms.ts'
import { BackLink } from './step.tsx'
import css from './user-detail.module.css'

export function DataSection({
  isCancelling,
  credit,
  proof,
}: {
  readonly isCancelling: boolean
  readonly credit: string | null
  readonly proof: ProofData
}) {
  const t = useT()
  const href = useHref()
  if (isCancelling) return <Cancelling credit={credit} proof={proof} />
  return (
    <>
      <ExportPanel proof={proof} />
      <Panel title={t('account.cancel')} className="stack">
        <p className="muted">{t('account.cancelText')}</p>
        <div>
          <ButtonLink look="bad" href={href('/userDetail?section=data&do=cancel')}>
            {t('account.cancelOpen')}
          </ButtonLink>
        </div>
      </Panel>
    </>
  )
}

/** The files are downloads, which can ask for nothing: the proof comes first. */
function ExportPanel({ proof }: { readonly proof: ProofData }) {
  const t = useT()
  return (
    <Panel title={t('account.export')} className="stack">
      <p className="muted">{t('account.exportText')}</p>
      {proof.isFresh ? (
        <div className="row">
          <ButtonLink look="solid" href="/api/user/export?format=json" download="my-data.json">
            {t('account.exportJson')}
          </ButtonLink>
          <ButtonLink href="/api/user/export?format=csv" download="my-data.csv">
            {t('account.exportCsv')}
          </ButtonLink>
        </div>
      ) : (
        <ProofStep
          name="prove"
          form={forms.prove}
          proof={proof}
          className={`stack ${css.narrow}`}
        />
      )}
    </Panel>
  )
}

function Cancelling({
  credit,
  proof,
}: {
  readonly credit: string | null
  readonly proof: ProofData
}) {
  const t = useT()
  const notes = [
    t('account.cancelNoteFrozen'),
    t('account.cancelNoteSignIn'),
    t('account.cancelNoteUndo'),
    t('account.cancelNoteErased'),
    ...(credit === null ? [] : [t('account.cancelNoteCredit', { amount: credit })]),
    t('account.cancelNoteLinks'),
    t('account.cancelNoteOrders'),
  ]
  return (
    <ConfirmPanel title={t('account.cancelTitle')} notes={notes}>
      <ProvenForm name="cancel" form={forms.cancel} proof={proof} className={`stack ${css.narrow}`}>
        {(view, asked) => (
          <>
            <Refusal view={view} />
            {asked}
            {credit !== null && <input type="hidden" name="give_up_credit" value="1" />}
            <Check
              name="agree"
              value="1"
              required
              defaultChecked={view.isOn('agree', false)}
              error={view.outcome?.faults['agree'] && t('account.cancelAgreeNeeded')}
            >
              {t('account.cancelAgree')}
            </Check>
            <div className="row">
              <Button type="submit" look="bad" busy={view.busy}>
                {t('account.cancelSubmit')}
              </Button>
              <BackLink path="/userDetail?section=data" text={t('account.cancelKeep')} />
            </div>
          </>
        )}
      </ProvenForm>
    </ConfirmPanel>
  )
}
