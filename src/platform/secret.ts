import { inspect } from 'node:util'

/** A value that must never be printed: text conversion, JSON and inspection all give `***`. */
export type Secret = Readonly<{
  reveal(): string
  toString(): string
  toJSON(): string
  [inspect.custom](): string
}>

const MASK = '***'

export function secret(value: string): Secret {
  return Object.freeze({
    reveal: () => value,
    toString: () => MASK,
    toJSON: () => MASK,
    [inspect.custom]: () => MASK,
  })
}
