import { Note } from '#ui/note.tsx'
import { AccountTabs, Area } from '../user/area.tsx'
import { AddressesSection } from './addresses-view.tsx'
import { DataSection } from './data-view.tsx'
import { DevicesSection } from './devices-view.tsx'
import type { UserDetailData } from './load.ts'
import { PlayersSection } from './players-view.tsx'
import { ProfileSection } from './profile-view.tsx'
import { SecuritySection } from './security-view.tsx'

export function Page({ data }: { readonly data: UserDetailData }) {
  return (
    <Area data={data.area} title={data.title}>
      <AccountTabs current={data.shown.section} />
      {data.done === null ? null : (
        <Note tone="ok" role="status">
          {data.done}
        </Note>
      )}
      <SectionOf data={data} />
    </Area>
  )
}

function SectionOf({ data: { shown, proof } }: { readonly data: UserDetailData }) {
  switch (shown.section) {
    case 'profile':
      return <ProfileSection data={shown} />
    case 'security':
      return <SecuritySection data={shown} proof={proof} />
    case 'devices':
      return <DevicesSection data={shown} proof={proof} />
    case 'addresses':
      return <AddressesSection data={shown} />
    case 'players':
      return <PlayersSection data={shown} />
    case 'data':
      return <DataSection isCancelling={shown.isCancelling} credit={shown.credit} proof={proof} />
  }
}
