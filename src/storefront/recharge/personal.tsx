import { useEffect, useState } from 'react'
import { amountText } from './amount.ts'
import { takeChoice } from './choice.ts'
import { PastRecharges } from './history.tsx'
import type { RechargeData } from './load.ts'
import { SavedNumbers } from './saved-numbers.tsx'

interface PersonalProps extends Pick<RechargeData, 'operator'> {
  /** Of its plans the one of an item. */
  readonly choose: (item: string) => void
}

/** What belongs to somebody: fetched for who is signed in. */
export function Personal(props: PersonalProps) {
  useKeptChoice(props)
  return (
    <>
      <SavedNumbers operator={props.operator} />
      <PastRecharges />
    </>
  )
}

/** What was chosen again in the list of past recharges, on whatever page that stood. */
function useKeptChoice({ operator, choose }: PersonalProps): void {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    if (isOpen || !operator) return
    setOpen(true)
    const kept = takeChoice()
    const plan = operator.plans.find((entry) => entry.item === kept?.item)
    if (!plan) return
    choose(plan.item)
    if (plan.amount && kept?.amount) amountText.set(kept.amount)
  }, [isOpen, operator, choose])
}
