import { MISS_DAYS } from '#features/base/analytics/rules.ts'
import type { TableRetention } from '../rules.ts'

/** What reports read beside figures, who keeps which, and what was searched for in vain. */
export const REPORT_TABLES: Readonly<Record<string, TableRetention>> = {
  tally: { personal: [], none: ['span', 'subject', 'value', 'currency'] },
  tally_due: { personal: [], none: [] },
  tally_month: { personal: [], none: [] },
  tally_progress: { personal: [], none: ['time_zone'] },
  saved_report: { personal: [], none: ['public_id', 'name', 'report', 'choice'] },
  report_mail: { personal: [], none: ['rhythm'] },
  search_miss: {
    personal: ['words'],
    none: [],
    days: MISS_DAYS,
    by: 'clean_up',
    text: `What was searched for and not found: words without who searched, and none that look like an address, a number or a code; ${MISS_DAYS} days.`,
  },
}
