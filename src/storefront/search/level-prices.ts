import { useEffect, useState } from 'react'
import { person } from '../state/session.ts'
import { useStore } from '../state/use-store.ts'

const RETAIL: ReadonlyMap<string, string> = new Map()

/** What the shopper's customer level pays at these addresses, once it is known; nothing for everybody else, and where it fails. */
export function useLevelPrices(addresses: readonly string[]): ReadonlyMap<string, string> {
  const level = useStore(person)?.level
  const asked = addresses.join(' ')
  const [prices, setPrices] = useState(RETAIL)
  useEffect(() => {
    if (!level || asked === '') return
    let isOver = false
    void import('../goods/tile-prices.ts')
      .then((module) => module.readTilePrices(asked.split(' ')))
      .then(
        (found) => isOver || setPrices(found),
        () => undefined,
      )
    return () => {
      isOver = true
    }
  }, [level, asked])
  return level ? prices : RETAIL
}
