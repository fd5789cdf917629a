import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { useDatabase } from '../../../../test/support/database.ts'
import { firstOwner } from '../../../../test/support/operators.ts'
import { somebody } from '../../../../test/support/people.ts'
import { createEndpointAlone } from './commands.ts'

const database = useDatabase()

test('an address that orders are told at, and the mail that tells owners of it, are there together or not at all', async () => {
  const { ctx } = database
  const { db } = ctx
  const owner = await firstOwner(ctx)
  const { email } = await somebody(ctx)
  await sql`update operator set email = 'owner@shop.example'`.execute(db)
  const count = async () => {
    const { rows } = await sql<{ endpoints: number; mails: number; trail: number }>`
      select (select count(*) from webhook_endpoint)::integer as endpoints, (select count(*) from outgoing_mail where kind = 'shop_alert')::integer as mails,
        (select count(*) from audit_log where subject = 'webhook_endpoint')::integer as trail`.execute(
      db,
    )
    return rows[0]
  }
  const asked = { email, url: 'https://198.51.100.7/hook' }
  // Whoever posts the mail dies.
  await sql`create function die() returns trigger language plpgsql as $$ begin raise exception 'killed'; end $$`.execute(
    db,
  )
  await sql`create trigger die before insert on outgoing_mail for each row execute function die()`.execute(
    db,
  )
  await expect(createEndpointAlone(owner, asked)).rejects.toThrow('killed')
  expect(await count()).toEqual({ endpoints: 0, mails: 0, trail: 0 })
  await sql`drop trigger die on outgoing_mail`.execute(db)
  await createEndpointAlone(owner, asked)
  expect(await count()).toEqual({ endpoints: 1, mails: 1, trail: 1 })
})
