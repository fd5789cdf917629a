import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { EntryList, EntryRow } from '#ui/entry-row.tsx'
import { Panel } from '#ui/panel.tsx'
import { CallForm } from '../forms/call-form.tsx'
import type { Outcome } from '../forms/form.ts'
import { PROOF_NEEDED, ProofStep } from '../forms/proof.tsx'
import type { ProofData } from '../forms/proof-data.ts'
import { Refusal } from '../forms/code-sent.tsx'
import { useT } from '../i18n.tsx'
import { refreshPage } from '../state/refresh.ts'
import type { DevicesData } from './devices.ts'
import { forms } from './forms.ts'

export function DevicesSection({
  data,
  proof,
}: {
  readonly data: DevicesData
  readonly proof: ProofData
}) {
  const t = useT()
  const others = data.devices.filter(({ isThis }) => !isThis)
  return (
    <Panel title={t('account.devices')} className="stack-l">
      <p className="muted">{t('account.devicesText')}</p>
      <EntryList label={t('account.devices')}>
        {data.devices.map((device) => (
          <EntryRow
            key={device.id}
            icon={device.isPhone ? 'phone' : 'laptop'}
            name={device.name}
            notes={device.notes}
            badge={device.isThis ? <Badge tone="ok">{t('account.deviceThis')}</Badge> : undefined}
            action={
              device.isThis || !proof.isFresh ? undefined : (
                <SignOutThere id={device.id} name={device.name} />
              )
            }
          />
        ))}
      </EntryList>
      {others.length === 0 ? (
        <p className="muted small">{t('account.deviceOnly')}</p>
      ) : !proof.isFresh ? (
        <ProofStep name="prove" form={forms.prove} proof={proof} className="stack" />
      ) : (
        <CallForm name="endOthers" form={forms.endOthers} onRefused={askAgain}>
          {(view) => (
            <>
              <Refusal view={view} />
              <Button type="submit" look="bad" busy={view.busy}>
                {t('account.deviceSignOutOthers')}
              </Button>
            </>
          )}
        </CallForm>
      )}
    </Panel>
  )
}

/** The proof has grown old while the page was open: it asks for a new one. */
function askAgain({ code }: Outcome): void {
  if (code === PROOF_NEEDED) refreshPage()
}

function SignOutThere({ id, name }: { readonly id: string; readonly name: string }) {
  const t = useT()
  return (
    <CallForm name="endSession" form={forms.endSession} onRefused={askAgain}>
      {(view) => (
        <>
          <input type="hidden" name="id" value={id} />
          <Button type="submit" size="small" busy={view.busy}>
            {t('account.deviceSignOut')}
            <span className="sr">: {name}</span>
          </Button>
        </>
      )}
    </CallForm>
  )
}
