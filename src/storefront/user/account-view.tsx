import { AddressText } from '#ui/address-text.tsx'
import { Badge } from '#ui/badge.tsx'
import { Button, ButtonLink } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'
import { EntryList, EntryRow, KeyValues } from '#ui/entry-row.tsx'
import { Icon } from '#ui/icon.tsx'
import { Note } from '#ui/note.tsx'
import { Panel } from '#ui/panel.tsx'
import { FORM_FIELD } from '../forms/form-field.ts'
import { useHref, useT, useWords } from '../i18n.tsx'
import { localPath } from '../local-path.ts'
import { signOut } from '../state/session.ts'
import { showToast } from '../state/toasts.ts'
import type { AccountData } from './account.ts'
import css from './user.module.css'
import { OrderList } from './order-view.tsx'
import { Paging } from './paging.tsx'

/** What the shop knows of the person, each fact with the way to change it, and what was paid and refunded. */
export function AccountRoom({ data }: { readonly data: AccountData }) {
  return (
    <>
      <Details data={data} />
      <Security data={data} />
      {data.orders.length === 0 ? null : <LatestOrders orders={data.orders} />}
      <Transactions data={data} />
      <SignOut />
    </>
  )
}

function LatestOrders({ orders }: { readonly orders: AccountData['orders'] }) {
  const t = useT()
  const href = useHref()
  return (
    <>
      <div className="row between">
        <h2 className={css.sub}>{t('user.latestOrders')}</h2>
        <a className={`link ${css.onward}`} href={href('/user/order')}>
          {t('user.allOrders')}
        </a>
      </div>
      <OrderList orders={orders} />
    </>
  )
}

function Transactions({ data }: { readonly data: AccountData }) {
  const t = useT()
  const href = useHref()
  return (
    <Panel title={t('user.transactions')} id="transactions" className="stack">
      <Credit data={data} />
      {data.transactions.length === 0 ? (
        <Empty level={3} title={t('user.transactionsNone')} text={t('user.transactionsNoneText')}>
          <ButtonLink href={href('/top-up')}>{t('user.browseTopUps')}</ButtonLink>
        </Empty>
      ) : (
        <EntryList label={t('user.transactions')}>
          {data.transactions.map((transaction) => (
            <EntryRow
              key={transaction.id}
              icon={transaction.icon}
              name={transaction.name}
              notes={transaction.notes}
              action={<Amount transaction={transaction} />}
            />
          ))}
        </EntryList>
      )}
      <Paging data={data.paging} />
    </Panel>
  )
}

function Credit({ data }: { readonly data: AccountData }) {
  const t = useT()
  const items = [
    { label: t('user.credit'), value: data.credit },
    { label: t('user.creditFrozen'), value: data.creditFrozen },
    { label: t('user.creditOwed'), value: data.creditOwed },
  ].flatMap(({ label, value }) =>
    value === null ? [] : [{ label, value: <bdi className="num">{value}</bdi> }],
  )
  if (items.length === 0) return null
  return (
    <>
      <KeyValues items={items} />
      {data.creditOwed === null ? null : <Note tone="warn">{t('user.creditOwedText')}</Note>}
    </>
  )
}

function Amount({ transaction }: { readonly transaction: AccountData['transactions'][number] }) {
  const t = useT()
  const href = useHref()
  return (
    <span className="row">
      <b>
        <bdi className="num">{transaction.amount}</bdi>
      </b>
      {transaction.path === null ? null : (
        <a className="link small" href={href(transaction.path)}>
          {t('user.transactionOrder')}
          <span className="sr"> {transaction.name}</span>
        </a>
      )}
    </span>
  )
}

function Details({ data }: { readonly data: AccountData }) {
  const t = useT()
  const items = [
    {
      label: t('user.nickname'),
      value: <bdi>{data.nickname}</bdi>,
      action: <Change path="/userDetail" what={t('user.nickname')} />,
    },
    {
      label: t('user.userName'),
      value: <bdi dir="ltr">{data.userName}</bdi>,
      action: <Change path="/userDetail" what={t('user.userName')} />,
    },
    {
      label: t('user.email'),
      value: <AddressText>{data.email}</AddressText>,
      action: <Change path="/change-email" what={t('user.email')} />,
    },
    {
      label: t('user.mobile'),
      value:
        data.mobile === null ? (
          <span className="muted">{t('user.mobileNone')}</span>
        ) : (
          <Verified mobile={data.mobile} />
        ),
      action:
        data.mobile === null && !data.canAddMobile ? undefined : (
          <Change
            path="/userDetail?do=phone"
            what={t('user.mobile')}
            isNew={data.mobile === null}
          />
        ),
    },
    { label: t('user.registered'), value: data.registered },
  ]
  return (
    <Panel title={t('user.overview')}>
      <KeyValues items={items} />
    </Panel>
  )
}

function Verified({ mobile }: { readonly mobile: string }) {
  const t = useT()
  return (
    <span className="row">
      <bdi dir="ltr">{mobile}</bdi>
      <Badge tone="ok">{t('user.mobileVerified')}</Badge>
    </span>
  )
}

function Security({ data }: { readonly data: AccountData }) {
  const t = useT()
  const items = [
    {
      label: t('user.password'),
      value: data.hasPassword ? (
        t('user.passwordSet')
      ) : (
        <span className="muted">{t('user.passwordNone')}</span>
      ),
      action: (
        <Change
          path="/userDetail?section=security&do=password"
          what={t('user.password')}
          isNew={!data.hasPassword}
        />
      ),
    },
    {
      label: t('user.twoStep'),
      value: (
        <Badge tone={data.hasSecondFactor ? 'ok' : undefined}>
          {data.hasSecondFactor ? t('user.twoStepOn') : t('user.twoStepOff')}
        </Badge>
      ),
      action: <Change path="/userDetail?section=security" what={t('user.twoStep')} />,
    },
    ...(data.passkeys === null
      ? []
      : [
          {
            label: t('user.passkeysLabel'),
            value: data.passkeys,
            action: <Change path="/userDetail?section=security" what={t('user.passkeysLabel')} />,
          },
        ]),
    {
      label: t('user.link'),
      value: data.links ?? <span className="muted">{t('user.linkNotBound')}</span>,
      action: <Change path="/user/link" what={t('user.link')} />,
    },
    {
      label: t('user.tabDevices'),
      value: data.devices,
      action: <Change path="/userDetail?section=devices" what={t('user.tabDevices')} />,
    },
  ]
  return (
    <Panel title={t('user.tabSecurity')}>
      <KeyValues items={items} />
    </Panel>
  )
}

/** @param what named for screen readers: the visible word is the same in every line */
function Change({
  path,
  what,
  isNew = false,
}: {
  readonly path: string
  readonly what: string
  readonly isNew?: boolean
}) {
  const t = useT()
  const href = useHref()
  return (
    <a className="link" href={href(path)}>
      {isNew ? t('user.add') : t('form.change')}
      <span className="sr"> {what}</span>
    </a>
  )
}

function SignOut() {
  const t = useT()
  const { prefix } = useWords()
  return (
    <form
      method="post"
      action={localPath(prefix, '/user')}
      onSubmit={(event) => {
        event.preventDefault()
        void signOut(prefix).then((isOut) => isOut || showToast('error', t('shell.signOutFailed')))
      }}
    >
      <input type="hidden" name={FORM_FIELD} value="signOut" />
      <input type="hidden" name="address" value="/" />
      <Button type="submit">
        <Icon name="out" />
        {t('shell.signOut')}
      </Button>
    </form>
  )
}
