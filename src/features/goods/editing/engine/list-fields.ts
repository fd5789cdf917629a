import { z } from 'zod'
import { THERE, type Json, type Listed } from '../rules.ts'
import { choice, code, column, integer, list, text, type GoodsField } from './columns.ts'

type Row = Readonly<Record<string, unknown>>

/** What one of a list is beside what can be edited; with it one that was taken away is the same again. */
export const identityShape = z.strictObject({
  id: z.int().min(1).max(2_147_483_647).optional(),
  path: z
    .string()
    .max(200)
    .regex(/^\/[a-z0-9/-]*$/)
    .optional(),
  picture: z.string().max(200).nullable().optional(),
  source: z
    .string()
    .regex(/^[a-z]+:[a-z0-9._-]{1,80}$/)
    .optional(),
})
export type Identity = z.infer<typeof identityShape>

const IDENTITY = ['id', 'path', 'picture', 'source'] as const

/** True or null where somebody makes or takes away; what it was where that is taken back. */
const there: GoodsField = {
  ...column('flag', THERE, z.union([z.literal(true), identityShape])),
  columns: [],
  read: (row) =>
    Object.fromEntries(
      IDENTITY.flatMap((name) => (row[name] === undefined ? [] : [[name, row[name] as Json]])),
    ),
  said: () => undefined,
}

const STATUS = choice('status', ['active', 'suspended'])
const position = integer('position')
const hot: GoodsField = {
  ...column('flag', 'is_hot', z.boolean(), { lock: 'hot' }),
  said: (value) => value ?? undefined,
}

/**
 * THE table of what operators edit of what goods are put in order by. Names are the keys of the catalogue's format. Codes are no fields: they stand
 * in addresses and in files.
 */
export const LIST_FIELDS: Readonly<Record<Listed, Readonly<Record<string, GoodsField>>>> = {
  category: {
    [THERE]: there,
    name: text('name'),
    parent: code('parent'),
    icon: text('icon'),
    position,
    status: STATUS,
  },
  game: {
    [THERE]: there,
    name: text('name'),
    publisher: text('publisher'),
    aliases: list('texts', 'aliases'),
    platforms: list('codes', 'platforms'),
    category: code('category'),
    released: integer('released_year', 'released'),
    popularity: integer('popularity', 'popularity', true),
    hot,
    status: STATUS,
  },
  region: { [THERE]: there, name: text('name'), position },
  platform: { [THERE]: there, name: text('name'), position },
}

/** Columns of a row that say what its fields say. @param ids of categories by their codes */
export function listColumns(
  kind: Listed,
  values: Row,
  ids: ReadonlyMap<string, number>,
): Readonly<Record<string, unknown>> {
  const idOf = (name: string) =>
    typeof values[name] === 'string' ? (ids.get(values[name]) ?? null) : null
  const { name, position: place } = values
  if (kind === 'category')
    return {
      name,
      parent_id: idOf('parent'),
      icon: values['icon'] ?? '',
      position: place ?? 0,
      status: values['status'] ?? 'active',
    }
  if (kind !== 'game') return { name, position: place ?? 0 }
  return {
    name,
    publisher: values['publisher'],
    aliases: values['aliases'] ?? [],
    platforms: values['platforms'] ?? [],
    category_id: idOf('category'),
    released_year: values['released'] ?? null,
    popularity: values['popularity'] ?? 0,
    is_hot: values['hot'] ?? false,
    status: values['status'] ?? 'active',
  }
}
