import { z } from 'zod'
import { REFUSALS } from '../envelope.ts'
import type { Parameter, Schema } from './document.ts'

export const REFUSAL: Schema = {
  type: 'object',
  properties: {
    code: { type: 'integer', description: 'Never 1' },
    msg: { type: 'string', description: 'In the language of the call' },
    data: { type: 'null' },
  },
  required: ['code', 'msg', 'data'],
}

export const INVALID_INPUT: Schema = {
  type: 'object',
  properties: {
    code: { const: REFUSALS.invalid_input.code },
    msg: { type: 'string' },
    data: {
      type: 'object',
      properties: {
        fields: {
          type: 'array',
          items: {
            type: 'object',
            properties: { field: { type: 'string' }, msg: { type: 'string' } },
            required: ['field', 'msg'],
          },
        },
      },
      required: ['fields'],
    },
  },
  required: ['code', 'msg', 'data'],
}

/** Every shape that has an id, under it. */
export function dataSchemas(): Record<string, Schema> {
  const { schemas } = z.toJSONSchema(z.globalRegistry, {
    uri: (id) => `#/components/schemas/${id}`,
    override: tidy,
  })
  return Object.fromEntries(
    Object.entries(schemas).map(([id, schema]) => {
      const { $schema, $id, ...rest } = schema
      return [id, rest as Schema]
    }),
  )
}

/** Objects may gain fields with a release, so nothing says that there are no others; bounds of the number type say nothing. */
export function tidy({ jsonSchema }: { readonly jsonSchema: Record<string, unknown> }): void {
  delete jsonSchema['additionalProperties']
  if (jsonSchema['maximum'] === Number.MAX_SAFE_INTEGER) delete jsonSchema['maximum']
  if (jsonSchema['minimum'] === Number.MIN_SAFE_INTEGER) delete jsonSchema['minimum']
}

export function parametersOf(
  shape: z.ZodObject,
  example: Readonly<Record<string, unknown>>,
): Parameter[] {
  const json = z.toJSONSchema(shape, { io: 'input', override: tidy }) as Schema
  return Object.entries(json.properties ?? {}).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: json.required?.includes(name) ?? false,
    ...(description === undefined ? {} : { description }),
    schema,
    ...(example[name] === undefined || example[name] === ''
      ? {}
      : { example: example[name] as string | number }),
  }))
}

const EXAMPLE_DEPTH_MAX = 8

let named: Record<string, Schema> | undefined

/** A value of the shape, put together from the examples of its parts. */
export function exampleOf(schema: Schema, depth = 0): unknown {
  if (schema.$ref) {
    const name = schema.$ref.split('/').at(-1) ?? ''
    // Shapes are named where they are declared, some after the first example is made.
    if (named?.[name] === undefined) named = dataSchemas()
    return exampleOf(named[name] ?? {}, depth)
  }
  if (schema.examples) return schema.examples[0]
  if ('const' in schema) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf) return exampleOf(schema.anyOf[0] ?? {}, depth)
  if (schema.properties)
    return Object.fromEntries(
      Object.entries(schema.properties).map(([name, part]) => [name, exampleOf(part, depth + 1)]),
    )
  if (schema.items)
    return depth >= EXAMPLE_DEPTH_MAX || isRecursive(schema.items, depth)
      ? []
      : [exampleOf(schema.items, depth + 1)]
  const [type] = [schema.type].flat()
  if (type === 'integer' || type === 'number') return schema['minimum'] ?? 0
  if (type === 'boolean') return true
  return type === 'null' ? null : ''
}

/** Trees are shown two levels deep. */
function isRecursive(items: Schema, depth: number): boolean {
  return items.$ref === '#/components/schemas/Category' && depth > 1
}
