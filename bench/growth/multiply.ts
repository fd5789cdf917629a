import pg from 'pg'
import { COPIES_MAX, respeller, sharedWords } from './respell.ts'

const SHARED_BY = 12

/**
 * Makes `name` a copy of the shop's database that holds the catalogue `factor` times, and returns its address. Every brand, game,
 * product and item stands there again under codes with "-x<n>"; what belongs to no brand stays as it is.
 */
export async function multiplyCatalogue(
  databaseUrl: string,
  name: string,
  factor: number,
): Promise<string> {
  if (factor - 1 > COPIES_MAX) throw new Error(`At most ${COPIES_MAX + 1} times`)
  const own = new URL(databaseUrl)
  const source = own.pathname.slice(1)
  await administer(databaseUrl, `drop database if exists ${name} with (force)`)
  await administer(databaseUrl, `create database ${name} template ${source}`)
  own.pathname = `/${name}`
  const client = new pg.Client({ connectionString: own.href })
  await client.connect()
  try {
    await client.query(
      "create temporary table base_translation as select * from translation where subject in ('brand', 'game')",
    )
    for (const table of ['game', 'brand', 'brand_category', 'product', 'item'])
      await client.query(`create temporary table base_${table} as select * from ${table}`)
    const names = await distinctNames(client)
    const { rows } = await client.query<{ name: string }>('select name from base_brand')
    const kept = sharedWords(
      rows.map((row) => row.name),
      SHARED_BY,
    )
    for (let copy = 1; copy < factor; copy += 1)
      await addCopy(client, copy, names, respeller(copy, kept))
    await client.query('vacuum analyze')
  } finally {
    await client.end()
  }
  return own.href
}

export async function dropDatabase(databaseUrl: string, name: string): Promise<void> {
  await administer(databaseUrl, `drop database if exists ${name} with (force)`)
}

async function distinctNames(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ text: string }>(
    `select distinct text from (
       select text from base_translation union all select name from base_brand union all select name from base_game
       union all select unnest(aliases) from base_brand union all select unnest(aliases) from base_game) as named (text)`,
  )
  return rows.map((row) => row.text)
}

async function addCopy(
  client: pg.Client,
  copy: number,
  names: readonly string[],
  respell: (name: string) => string,
): Promise<void> {
  const aliases =
    "(select coalesce(array_agg(r.text), '{}') from unnest(b.aliases) as a join respelled r on r.original = a)"
  await client.query('begin')
  await client.query(
    'create temporary table respelled (original text primary key, text text) on commit drop',
  )
  await client.query('insert into respelled select * from unnest($1::text[], $2::text[])', [
    names,
    names.map(respell),
  ])
  await client.query('analyze respelled')
  const suffix = `-x${copy}`
  await insertAltered(
    client,
    'game',
    { code: `b.code || '${suffix}'`, name: 'r.text', aliases },
    'join respelled r on r.original = b.name',
  )
  await insertAltered(
    client,
    'brand',
    { code: `b.code || '${suffix}'`, name: 'r.text', aliases, game: `b.game || '${suffix}'` },
    'join respelled r on r.original = b.name',
  )
  await insertAltered(client, 'brand_category', { brand: `b.brand || '${suffix}'` })
  await insertAltered(client, 'product', {
    code: `b.code || '${suffix}'`,
    brand: `b.brand || '${suffix}'`,
  })
  await insertAltered(client, 'item', {
    id: 'gen_random_uuid()',
    code: `b.code || '${suffix}'`,
    product: `b.product || '${suffix}'`,
  })
  await insertAltered(
    client,
    'translation',
    { subject_code: `b.subject_code || '${suffix}'`, text: 'r.text' },
    'join respelled r on r.original = b.text',
  )
  await client.query('commit')
}

/** Inserts every row of `base_<table>` (as b) again, with the named columns altered. */
async function insertAltered(
  client: pg.Client,
  table: string,
  altered: Readonly<Record<string, string>>,
  join = '',
): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    'select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped',
    [table],
  )
  const columns = rows.map((row) => row.name)
  await client.query(
    `insert into ${table} (${columns.join(', ')}) select ${columns.map((column) => altered[column] ?? `b.${column}`).join(', ')} from base_${table} b ${join}`,
  )
}

/** `create database … template` needs that nobody else is connected to the template. */
async function administer(databaseUrl: string, statement: string): Promise<void> {
  const address = new URL(databaseUrl)
  address.pathname = '/postgres'
  const client = new pg.Client({ connectionString: address.href })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
