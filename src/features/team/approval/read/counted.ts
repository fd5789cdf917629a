import { sql } from 'kysely'

/** What an act counted, in the shop's currency of now: that of then, or of US cents where a release before has written it. */
export const COUNTED = sql`case when counted_currency = (select shop_currency()) then counted_minor
  else coalesce(in_shop_currency(counted_minor, counted_currency), in_shop_currency(usd_minor, 'USD')) end`
