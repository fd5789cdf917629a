import type { IncomingMessage } from 'node:http'
import { AppError } from '#kernel/error.ts'
import {
  BodiesTooMany,
  BodyAborted,
  BodyBroken,
  BodyTooLarge,
  readBody,
  SECONDS_UNTIL_ROOM,
} from '#platform/http/body.ts'

const DEPTH_MAX = 16

/** What a call is refused with whose body cannot be taken; any other error as it is. */
export function bodyRefusal(error: unknown): unknown {
  if (error instanceof BodiesTooMany)
    return new AppError('too_many_requests', { seconds: SECONDS_UNTIL_ROOM })
  if (error instanceof BodyTooLarge) return new AppError('too_large')
  if (error instanceof BodyBroken || error instanceof BodyAborted)
    return new AppError('invalid_input', {}, { fields: [{ field: 'body', reason: 'wrong_type' }] })
  return error
}

/** The bytes of a call's body. Throws the AppError that one which cannot be taken is refused with. */
export async function readCallBody(req: IncomingMessage, mostBytes: number): Promise<Buffer> {
  try {
    return await readBody(req, mostBytes)
  } catch (error) {
    throw bodyRefusal(error)
  }
}

/** The JSON of a call, neither of another encoding nor deeper than a call is. Throws the AppError of a broken body. */
export function parseCallJson(body: Buffer): unknown {
  const value = parsed(body)
  if (value === undefined || isTooDeep(value, DEPTH_MAX)) throw bodyRefusal(new BodyBroken())
  return value
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return undefined
  }
}

function isTooDeep(value: unknown, left: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return left === 0 || Object.values(value).some((part) => isTooDeep(part, left - 1))
}
