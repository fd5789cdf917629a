import { AddressCard, AddressCards } from '#ui/address-card.tsx'
import { Badge } from '#ui/badge.tsx'
import { Button, ButtonLink } from '#ui/button.tsx'
import { ConfirmPanel } from '#ui/confirm-panel.tsx'
import { Empty } from '#ui/empty.tsx'
import { Panel } from '#ui/panel.tsx'
import { CallForm } from '../forms/call-form.tsx'
import { Refusal } from '../forms/code-sent.tsx'
import { useHref, useT } from '../i18n.tsx'
import { AddressForm } from './address-form.tsx'
import type { AddressesData, ShownAddress } from './addresses.ts'
import { forms } from './forms.ts'
import { BackLink } from './step.tsx'

const SECTION = '/userDetail?section=addresses'

export function AddressesSection({ data }: { readonly data: AddressesData }) {
  const t = useT()
  const href = useHref()
  if (data.form) return <AddressForm data={data.form} />
  if (data.removing) return <Removing address={data.removing} />
  if (data.list.length === 0) {
    return (
      <Panel>
        <Empty level={2} title={t('account.addressNone')} text={t('account.addressesText')}>
          <ButtonLink look="solid" href={href(`${SECTION}&do=new`)}>
            {t('account.addressAdd')}
          </ButtonLink>
        </Empty>
      </Panel>
    )
  }
  return (
    <Panel title={t('account.addresses')} className="stack-l">
      <p className="muted">{t('account.addressesText')}</p>
      <AddressCards>
        {data.list.map((address) => (
          <AddressCard
            key={address.id}
            name={address.name}
            lines={address.lines}
            badge={
              address.isDefault ? (
                <Badge tone="info">{t('account.addressDefault')}</Badge>
              ) : undefined
            }
            actions={<Actions address={address} />}
          />
        ))}
      </AddressCards>
      {data.isFull ? (
        <p className="muted small">{t('account.addressFull', { count: data.list.length })}</p>
      ) : (
        <div>
          <ButtonLink look="solid" href={href(`${SECTION}&do=new`)}>
            {t('account.addressAdd')}
          </ButtonLink>
        </div>
      )}
    </Panel>
  )
}

function Actions({ address }: { readonly address: ShownAddress }) {
  const t = useT()
  const href = useHref()
  const named = <span className="sr">: {address.name}</span>
  const step = (name: string): string => href(`${SECTION}&do=${name}&id=${address.id}`)
  return (
    <>
      <ButtonLink size="small" href={step('edit')}>
        {t('form.change')}
        {named}
      </ButtonLink>
      <ButtonLink size="small" look="ghost" href={step('remove')}>
        {t('form.remove')}
        {named}
      </ButtonLink>
      {address.isDefault ? null : (
        <CallForm name="defaultAddress" form={forms.defaultAddress}>
          {(view) => (
            <>
              <input type="hidden" name="id" value={address.id} />
              <Button type="submit" size="small" look="ghost" busy={view.busy}>
                {t('account.addressMakeDefault')}
                {named}
              </Button>
            </>
          )}
        </CallForm>
      )}
    </>
  )
}

function Removing({ address }: { readonly address: ShownAddress }) {
  const t = useT()
  return (
    <ConfirmPanel
      title={t('account.addressRemove')}
      notes={[[address.name, ...address.lines].join(', ')]}
    >
      <CallForm name="removeAddress" form={forms.removeAddress} className="stack">
        {(view) => (
          <>
            <Refusal view={view} />
            <input type="hidden" name="id" value={address.id} />
            <div className="row">
              <Button type="submit" look="bad" busy={view.busy}>
                {t('form.remove')}
              </Button>
              <BackLink path={SECTION} />
            </div>
          </>
        )}
      </CallForm>
    </ConfirmPanel>
  )
}
