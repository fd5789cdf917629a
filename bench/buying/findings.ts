import type { Finding } from '../findings.ts'
import { milliseconds, percent, toReach } from '../report.ts'
import { CLIENTS } from './delivery.ts'
import type { DeliveryFigures, DeliveryRounds } from './run.ts'

const SHARE = 0.15
/** Rounds differ by this much on a machine that does nothing else. */
const SAME = 0.9
const LIST_MS = 20

/** What deliveries are of single-row updates, and how long pages of long lists take. */
export function deliveryRows({ updates, plain, twice, manySold, delivered, duplicates, violations, lists }: DeliveryFigures): Finding {
  const measured = ({ perSecond, ratio, p50, p99 }: DeliveryRounds) => `${percent(ratio)} (${perSecond.toFixed(0)}/s, p50 ${milliseconds(p50)}, p99 ${milliseconds(p99)})`
  return {
    rows: [
      toReach(`deliveries of one item, ${CLIENTS} clients`, measured(plain), '≥ 15 % of single-row updates', plain.ratio >= SHARE),
      toReach('deliveries with 30 % of the notices twice', measured(twice), 'no key twice', duplicates === 0),
      toReach('deliveries with 1,000,000 keys of the item sold', measured(manySold), 'no slower', manySold.ratio >= plain.ratio * SAME),
      toReach('promises broken afterwards', `${violations} of ${delivered} keys delivered`, '0', violations === 0),
      ...lists.map(({ list, page, p50, max }) => toReach(`${list}, page ${page}, of 1,000,000 orders and 5,000,000 keys`, `${milliseconds(p50)}, at most ${milliseconds(max)}`, `≤ ${LIST_MS} ms`, p50 <= LIST_MS)),
    ],
    notes: [
      `A delivery is the notice stored, the payment booked, a key claimed and delivered, and the order completed: nothing was reserved before. Beside it ${updates.perSecond.toFixed(0)} updates a second of one row of 100,000, each committed.`,
    ],
  }
}
