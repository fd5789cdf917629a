import { Badge } from '#ui/badge.tsx'
import { Button, ButtonLink } from '#ui/button.tsx'
import { ConfirmPanel } from '#ui/confirm-panel.tsx'
import { Empty } from '#ui/empty.tsx'
import { EntryList, EntryRow } from '#ui/entry-row.tsx'
import { Note } from '#ui/note.tsx'
import { Panel } from '#ui/panel.tsx'
import { CallForm } from '../forms/call-form.tsx'
import { Refusal } from '../forms/code-sent.tsx'
import type { ProofData } from '../forms/proof-data.ts'
import { ProvenForm } from '../forms/proof.tsx'
import { useHref, useT } from '../i18n.tsx'
import { forms } from './forms.ts'
import type { LinkableService, LinkData } from './link.ts'

export function LinkRoom({ data }: { readonly data: LinkData }) {
  const t = useT()
  const { named } = data
  const others = data.services.filter(({ platform }) => platform !== named?.platform)
  if (data.services.length === 0) {
    return (
      <Panel>
        <Empty level={2} title={t('user.linkNone')} text={t('user.linkNoneText')} />
      </Panel>
    )
  }
  return (
    <>
      {data.done === null ? null : (
        <Note tone="ok" role="status">
          {data.done}
        </Note>
      )}
      {data.isMissing ? <Note role="status">{t('user.linkMissing')}</Note> : null}
      {named === null ? null : <Named key={named.platform} service={named} data={data} />}
      {data.isUnlinking || others.length === 0 ? null : (
        <Panel title={t('user.link')} className="stack">
          <p className="muted">{t('user.linkText')}</p>
          <EntryList label={t('user.link')}>
            {others.map((service) => (
              <ServiceRow key={service.platform} service={service} isFresh={data.proof.isFresh} />
            ))}
          </EntryList>
        </Panel>
      )}
    </>
  )
}

export function BoundBadge({ isLinked }: { readonly isLinked: boolean }) {
  const t = useT()
  return (
    <Badge tone={isLinked ? 'ok' : undefined}>
      {isLinked ? t('user.linkBound') : t('user.linkNotBound')}
    </Badge>
  )
}

function ServiceRow({
  service,
  isFresh,
}: {
  readonly service: LinkableService
  readonly isFresh: boolean
}) {
  return (
    <EntryRow
      icon="link"
      name={service.name}
      badge={<BoundBadge isLinked={service.isLinked} />}
      notes={service.notes}
      action={
        service.isLinked ? (
          <UnlinkLink service={service} />
        ) : isFresh ? (
          <LinkNow service={service} />
        ) : (
          <LinkLink service={service} />
        )
      }
    />
  )
}

/** For screen readers: the words in sight are the same in every line. */
function Which({ service }: { readonly service: LinkableService }) {
  return <span className="sr">: {service.name}</span>
}

function UnlinkLink({ service }: { readonly service: LinkableService }) {
  const t = useT()
  const href = useHref()
  return (
    <ButtonLink size="small" href={href(`/user/link/${service.platform}?do=unlink`)}>
      {t('user.linkRemove')}
      <Which service={service} />
    </ButtonLink>
  )
}

function LinkLink({ service }: { readonly service: LinkableService }) {
  const t = useT()
  const href = useHref()
  return (
    <ButtonLink size="small" href={href(`/user/link/${service.platform}`)}>
      {t('user.linkAdd')}
      <Which service={service} />
    </ButtonLink>
  )
}

/** Right after a proof one press is enough; one that has grown old meanwhile is asked for on the service's own page. */
function LinkNow({ service }: { readonly service: LinkableService }) {
  const t = useT()
  const href = useHref()
  return (
    <CallForm
      name="link"
      form={forms.link}
      onRefused={() => location.assign(href(`/user/link/${service.platform}`))}
    >
      {(view) => (
        <>
          <input type="hidden" name="platform" value={service.platform} />
          <Button type="submit" size="small" busy={view.busy}>
            {t('user.linkAdd')}
            <Which service={service} />
          </Button>
        </>
      )}
    </CallForm>
  )
}

/** The service that the address names, with its own form. */
function Named({ service, data }: { readonly service: LinkableService; readonly data: LinkData }) {
  if (data.isUnlinking) return <Unlinking service={service} proof={data.proof} />
  if (!service.isLinked) return <Linking service={service} proof={data.proof} />
  return (
    <Panel>
      <EntryList>
        <EntryRow
          icon="link"
          name={service.name}
          badge={<BoundBadge isLinked />}
          notes={service.notes}
          action={<UnlinkLink service={service} />}
        />
      </EntryList>
    </Panel>
  )
}

function Linking({
  service,
  proof,
}: {
  readonly service: LinkableService
  readonly proof: ProofData
}) {
  const t = useT()
  return (
    <Panel
      title={t('user.linkAddLabel', { service: service.name })}
      aside={<BoundBadge isLinked={false} />}
      className="stack"
    >
      <ProvenForm name="link" form={forms.link} proof={proof} className="stack">
        {(view, asked) => (
          <>
            <Refusal view={view} />
            <p className="muted">{t('user.linkAddText', { service: service.name })}</p>
            <input type="hidden" name="platform" value={service.platform} />
            {asked}
            <div>
              <Button type="submit" look="solid" busy={view.busy}>
                {t('user.linkGo', { service: service.name })}
              </Button>
            </div>
          </>
        )}
      </ProvenForm>
    </Panel>
  )
}

function Unlinking({
  service,
  proof,
}: {
  readonly service: LinkableService
  readonly proof: ProofData
}) {
  const t = useT()
  const href = useHref()
  return (
    <ConfirmPanel
      title={t('user.linkRemoveTitle', { service: service.name })}
      notes={[t('user.linkRemoveText', { service: service.name })]}
    >
      <ProvenForm name="unlink" form={forms.unlink} proof={proof} className="stack">
        {(view, asked) => (
          <>
            <Refusal view={view} />
            <input type="hidden" name="platform" value={service.platform} />
            {asked}
            <div className="row">
              <Button type="submit" look="bad" busy={view.busy}>
                {t('user.linkRemoveLabel', { service: service.name })}
              </Button>
              <ButtonLink look="ghost" href={href('/user/link')}>
                {t('form.cancel')}
              </ButtonLink>
            </div>
          </>
        )}
      </ProvenForm>
    </ConfirmPanel>
  )
}
