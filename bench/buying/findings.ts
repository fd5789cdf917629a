import type { Finding } from '../findings.ts'
import { milliseconds, percent, toReach } from '../report.ts'
import { CLIENTS } from './delivery.ts'
import { PAGES_PER_SECOND, type PurchaseFigures } from './purchases.ts'
import type { DeliveryFigures, DeliveryRounds } from './run.ts'

const SHARE = 0.15
/** Rounds differ by this much on a machine that does nothing else. */
const SAME = 0.9
const LIST_MS = 20

/** What deliveries are of single-row updates, and how long pages of long lists take. */
export function deliveryRows({
  updates,
  plain,
  twice,
  manySold,
  delivered,
  duplicates,
  violations,
  lists,
}: DeliveryFigures): Finding {
  const measured = ({ perSecond, ratio, p50, p99 }: DeliveryRounds) =>
    `${percent(ratio)} (${perSecond.toFixed(0)}/s, p50 ${milliseconds(p50)}, p99 ${milliseconds(p99)})`
  return {
    rows: [
      toReach(
        `deliveries of one item, ${CLIENTS} clients`,
        measured(plain),
        '≥ 15 % of single-row updates',
        plain.ratio >= SHARE,
      ),
      toReach(
        'deliveries with 30 % of the notices twice',
        measured(twice),
        'no key twice',
        duplicates === 0,
      ),
      toReach(
        'deliveries with 1,000,000 keys of the item sold',
        measured(manySold),
        'no slower',
        manySold.ratio >= plain.ratio * SAME,
      ),
      toReach(
        'promises broken afterwards',
        `${violations} of ${delivered} keys delivered`,
        '0',
        violations === 0,
      ),
      ...lists.map(({ list, page, p50, max }) =>
        toReach(
          `${list}, page ${page}, of 1,000,000 orders and 5,000,000 keys`,
          `${milliseconds(p50)}, at most ${milliseconds(max)}`,
          `≤ ${LIST_MS} ms`,
          p50 <= LIST_MS,
        ),
      ),
    ],
    notes: [
      `A delivery is the notice stored, the payment booked, a key claimed and delivered, and the order completed: nothing was reserved before. Beside it ${updates.perSecond.toFixed(0)} updates a second of one row of 100,000, each committed.`,
    ],
  }
}

const PURCHASE_SHARE = 0.008
const VISIBLE_MS = { p50: 150, p99: 1_000 }
const VISIT_LIMIT_MS = 50

/** What whole purchases are of single-row updates, and what shoppers and visitors wait for at half of that load. */
export function purchaseRows({
  updatesPerSecond,
  purchases,
  steadyPerSecond,
  visible,
  visits,
  checked,
}: PurchaseFigures): Finding {
  const half = `${steadyPerSecond.toFixed(0)} a second begun when due`
  const { bought, sound, violations } = checked
  return {
    rows: [
      toReach(
        `whole purchases over HTTP of one item, ${CLIENTS} shoppers`,
        `${percentFine(purchases.ratio)} (${purchases.perSecond.toFixed(0)}/s, p50 ${milliseconds(purchases.p50)}, p99 ${milliseconds(purchases.p99)})`,
        '≥ 0.8 % of single-row updates',
        purchases.ratio >= PURCHASE_SHARE,
      ),
      toReach(
        `from the notice to the key, ${half}`,
        `p50 ${milliseconds(visible.p50)}, p99 ${milliseconds(visible.p99)}`,
        '≤ 150 ms, p99 ≤ 1 s',
        visible.p50 <= VISIBLE_MS.p50 && visible.p99 <= VISIBLE_MS.p99,
      ),
      toReach(
        `page served again and \`goods/index\`, ${PAGES_PER_SECOND}/s, p99 meanwhile`,
        milliseconds(visits.p99),
        `≤ ${VISIT_LIMIT_MS} ms`,
        visits.p99 <= VISIT_LIMIT_MS,
      ),
      toReach(
        'purchases with one key, paid and booked exactly',
        `${sound} of ${bought}${violations === 0 ? '' : `, ${violations} promises broken`}`,
        'all',
        sound === bought && violations === 0,
      ),
    ],
    notes: [
      `Whole purchases: beside them ${updatesPerSecond.toFixed(0)} updates a second of one row of 100,000 on the same server. From the notice to the key at most ${milliseconds(visible.max)}; ` +
        `visitors meanwhile p50 ${milliseconds(visits.p50)}, longest ${milliseconds(visits.max)}.`,
    ],
  }
}

function percentFine(share: number): string {
  return `${(share * 100).toFixed(2)} %`
}
