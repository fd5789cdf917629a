import { MISS_DAYS } from '#features/base/analytics/rules.ts'

/** Tables of reports, and of what they count. */
export const REPORT_TABLES = {
  saved_report: { personal: [], none: ['public_id', 'name', 'report', 'choice'] },
  report_mail: { personal: [], none: ['rhythm'] },
  search_miss: {
    personal: ['words'],
    none: [],
    days: MISS_DAYS,
    by: 'clean_up',
    text: `What was searched for and not found: words without who searched, and none that look like an address, a number or a code; ${MISS_DAYS} days.`,
  },
  tally: { personal: [], none: ['span', 'subject', 'value', 'currency'] },
  tally_due: { personal: [], none: [] },
  tally_month: { personal: [], none: [] },
  tally_progress: { personal: [], none: ['time_zone'] },
} as const
