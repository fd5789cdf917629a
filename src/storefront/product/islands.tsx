import type { ReactNode } from 'react'
import { hydrateIsland, type Surroundings } from '../browser/hydrate.tsx'
import type { ProductIsland } from '../islands.ts'
import { person } from '../state/session.ts'
import { AccountFields } from './account-step.tsx'
import { Amounts } from './amount-step.tsx'
import type { Buying } from './buying.ts'
import { openBuying } from './early.ts'
import { BarContent, Summary } from './check-and-pay.tsx'
import { FavouriteButton } from './favourite-button.tsx'

/** Brings the living parts of a product's page to life over one store. Settles when all of them are. */
export async function openProduct(surroundings: Surroundings): Promise<void> {
  const buying = openBuying(surroundings.page)
  const { data } = buying
  const islands: Readonly<Record<ProductIsland, ReactNode>> = {
    amounts: <Amounts buying={buying} />,
    'account-fields': <AccountFields buying={buying} />,
    summary: <Summary buying={buying} />,
    bar: <BarContent buying={buying} />,
    favourite: <FavouriteButton code={data.code} path={data.path} />,
  }
  await Promise.all(
    Object.entries(islands).map(async ([name, tree]) => {
      const element = document.querySelector<HTMLElement>(`[data-island=${name}]`)
      if (element) await hydrateIsland(element, tree, surroundings)
    }),
  )
  followLevel(buying)
}

/** Pages are the same for everybody: whoever has a customer level gets its prices afterwards. Nothing of it is fetched for others. */
function followLevel(buying: Buying): void {
  const follow = () => {
    if (person.get()?.level)
      void import('./level-prices.tsx').then((module) => module.showLevelPrices(buying))
  }
  person.subscribe(follow)
  follow()
}
