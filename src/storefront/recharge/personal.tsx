import { PastRecharges } from './history.tsx'
import type { RechargeData } from './load.ts'
import { SavedNumbers } from './saved-numbers.tsx'

/** What belongs to somebody: fetched for who is signed in. */
export function Personal({ operator }: Pick<RechargeData, 'operator'>) {
  return (
    <>
      <SavedNumbers operator={operator} />
      <PastRecharges />
    </>
  )
}
