import { z } from 'zod'
import type { Setting } from '#features/base/setting/rules.ts'
import { SETTINGS } from '../schema.ts'
import {
  PLACES,
  UNPLACED,
  type EffectName,
  type FieldKind,
  type GroupName,
  type StandardName,
} from './places.ts'

/** One cell of a list or of an object with a few plain parts. */
export interface FieldColumn {
  readonly name: string
  readonly kind: 'line' | 'number' | 'percent' | 'usd' | 'choice' | 'switch'
  readonly options: readonly string[]
  readonly isNeeded: boolean
}

/** A setting, or a part of one, as a form shows it. */
export interface SettingField {
  /** `shop.name`, or the key where it has no parts. */
  readonly path: string
  readonly key: string
  /** Null where the setting is one value. */
  readonly part: string | null
  readonly kind: FieldKind
  readonly group: GroupName
  /** What follows from another value. */
  readonly effect: EffectName
  /** Words or codes that it may be. */
  readonly options: readonly string[]
  readonly columns: readonly FieldColumn[]
  readonly least: number | null
  readonly most: number | null
  readonly longest: number | null
  /** The setting holds with it only. */
  readonly isNeeded: boolean
  /** What holds without it, as it would be written; null where that has no value, and `standardName` may say what it is. */
  readonly standard: unknown
  readonly standardName: StandardName | null
}

/** A shape as JSON Schema tells it, as far as forms look at it. */
interface Shape {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Shape | false
  readonly propertyNames?: Shape
  readonly items?: Shape
  readonly anyOf?: readonly Shape[]
  readonly enum?: readonly unknown[]
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly default?: unknown
}

/** From so many letters on a text has lines. */
const LONG = 400
const CURRENCY_PATTERN = '^[A-Z]{3}$'

const shapeOf = (setting: Setting<unknown>): Shape =>
  z.toJSONSchema(setting.schema, { io: 'input', unrepresentable: 'any' }) as Shape

/** Every setting with its parts, as its own schema has them. */
export function fieldsOf(setting: Setting<unknown>): readonly SettingField[] {
  const shape = shapeOf(setting)
  if (!shape.properties) return [fieldOf(setting, null, shape, false, standardOf(setting.fallback))]
  const { properties, required = [] } = shape
  return Object.entries(properties).map(([part, own]) =>
    fieldOf(setting, part, own, required.includes(part), own.default ?? null),
  )
}

/** A default that is written as it is told. */
const standardOf = (fallback: unknown): unknown =>
  ['string', 'number', 'boolean'].includes(typeof fallback) ? fallback : null

function fieldOf(
  setting: Setting<unknown>,
  part: string | null,
  shape: Shape,
  isNeeded: boolean,
  standard: unknown,
): SettingField {
  const path = part === null ? setting.key : `${setting.key}.${part}`
  const place = PLACES[path] ?? UNPLACED
  const isSecret = part !== null && (setting.secretParts ?? []).includes(part)
  const kind = place.kind ?? (isSecret ? 'secret' : kindOf(shape, part ?? setting.key))
  const plain = shape.anyOf?.find(({ type }) => type !== 'null') ?? shape
  return {
    path,
    key: setting.key,
    part,
    kind,
    group: place.group,
    effect: place.effect,
    options: optionsOf(shape),
    columns: columnsOf(kind, shape),
    least: plain.minimum ?? null,
    most: plain.maximum ?? null,
    longest: plain.maxLength ?? null,
    isNeeded,
    standard: place.standard === undefined ? standard : null,
    standardName: place.standard ?? null,
  }
}

function optionsOf({ enum: own, items }: Shape): readonly string[] {
  return (own ?? items?.enum ?? []).map(String)
}

function kindOf(shape: Shape, name: string): FieldKind {
  const { type, anyOf } = shape
  if (anyOf) return kindOfSeveral(anyOf, name)
  if (type === 'boolean') return 'switch'
  if (type === 'integer' || type === 'number') return kindOfNumber(name)
  if (type === 'array') return kindOfList(shape.items ?? {})
  if (type === 'object') return kindOfObject(shape)
  if (shape.enum) return 'choice'
  if (shape.pattern === CURRENCY_PATTERN) return 'currency'
  return (shape.maxLength ?? 0) >= LONG && shape.maxLength !== 2_000 ? 'text' : 'line'
}

function kindOfSeveral(several: readonly Shape[], name: string): FieldKind {
  if (several.some(({ properties }) => properties?.['minor'])) return 'money'
  const [one, ...others] = several.filter(({ type }) => type !== 'null')
  return one && others.length === 0 ? kindOf(one, name) : 'line'
}

function kindOfNumber(name: string): 'number' | 'percent' | 'usd' {
  if (name.endsWith('basis_points')) return 'percent'
  return name.endsWith('usd_minor') ? 'usd' : 'number'
}

const isPlain = ({ type, anyOf }: Shape) =>
  anyOf === undefined && type !== 'object' && type !== 'array'

const arePlain = ({ properties }: Shape) =>
  properties !== undefined && Object.values(properties).every(isPlain)

function kindOfList(items: Shape): FieldKind {
  if (isPlain(items)) return 'lines'
  if (arePlain(items)) return 'rows'
  const [first, second] = Object.values(items.properties ?? {})
  return first?.type === 'string' && second?.items !== undefined && arePlain(second.items)
    ? 'groups'
    : 'json'
}

function kindOfObject(shape: Shape): FieldKind {
  const { properties, additionalProperties: others } = shape
  if (properties?.['from'] && properties['to']) return 'hours'
  if (arePlain(shape)) return 'cells'
  return others && (isPlain(others) || arePlain(others)) ? 'record' : 'json'
}

function columnsOf(kind: FieldKind, shape: Shape): readonly FieldColumn[] {
  if (kind === 'cells') return columnsOfObject(shape)
  if (kind === 'rows') return columnsOfObject(shape.items ?? {})
  if (kind === 'groups') {
    const inner = shape.items?.properties?.['list']?.items ?? {}
    return [plainColumn('group'), ...columnsOfObject(inner)]
  }
  if (kind !== 'record') return []
  const others = shape.additionalProperties || {}
  const names = (shape.propertyNames?.enum ?? []).map(String)
  const key: FieldColumn = {
    ...plainColumn('key'),
    options: names,
    kind: names.length > 0 ? 'choice' : 'line',
  }
  return isPlain(others)
    ? [key, { ...plainColumn('value'), kind: 'percent' }]
    : [key, ...columnsOfObject(others)]
}

const plainColumn = (name: string): FieldColumn => ({
  name,
  kind: 'line',
  options: [],
  isNeeded: true,
})

function columnsOfObject({ properties = {}, required = [] }: Shape): readonly FieldColumn[] {
  return Object.entries(properties).map(([name, own]) => ({
    name,
    kind: columnKindOf(own, name),
    options: (own.enum ?? []).map(String),
    isNeeded: required.includes(name),
  }))
}

function columnKindOf({ type, enum: own }: Shape, name: string): FieldColumn['kind'] {
  if (own) return 'choice'
  if (type === 'boolean') return 'switch'
  return type === 'integer' || type === 'number' ? kindOfNumber(name) : 'line'
}

/** All of them, in the order of the registry. */
export const SETTING_FIELDS: readonly SettingField[] = SETTINGS.flatMap(fieldsOf)

export const fieldsOfKey = (key: string): readonly SettingField[] =>
  SETTING_FIELDS.filter((field) => field.key === key)
