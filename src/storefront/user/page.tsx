import { AccountRoom } from './account-view.tsx'
import { AccountTabs, Area } from './area.tsx'
import { CardPasswordRoom } from './cardpwd-view.tsx'
import { CollectRoom } from './collect-view.tsx'
import { LinkRoom } from './link-view.tsx'
import type { UserData } from './load.ts'
import { NoticeRoom } from './notice-view.tsx'
import { OrderRoom } from './order-view.tsx'

export function Page({ data }: { readonly data: UserData }) {
  const { shown } = data
  return (
    <Area data={data.area} title={data.title}>
      {shown.room === 'account' ? (
        <AccountTabs current="overview" />
      ) : shown.room === 'link' ? (
        <AccountTabs current="link" />
      ) : null}
      <Room shown={shown} />
    </Area>
  )
}

function Room({ shown }: { readonly shown: UserData['shown'] }) {
  switch (shown.room) {
    case 'account':
      return <AccountRoom data={shown} />
    case 'order':
      return <OrderRoom data={shown} />
    case 'cardpwd':
      return <CardPasswordRoom data={shown} />
    case 'collect':
      return <CollectRoom data={shown} />
    case 'notice':
      return <NoticeRoom data={shown} />
    case 'link':
      return <LinkRoom data={shown} />
  }
}
