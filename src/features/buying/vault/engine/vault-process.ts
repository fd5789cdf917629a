import { AppError } from '#kernel/error.ts'
import { askLocally, type LocalAnswer, type LocalCall } from '#platform/local-service.ts'
import type { Log } from '#platform/log.ts'
import type { KnownKey, Unwrapped, Vault, Wrapped } from './vault.ts'

/** Nothing is lost by asking twice. */
const LIMITS = { timeoutMs: 10_000, connectMs: 3_000, tries: 3 } as const

/** The vault of the process that keeps the keys. Throws AppError `codes_unavailable` while that is not there, or lacks the key. */
export function createVaultClient(socket: string, log: Log): Vault {
  const ask = async (path: string, question: unknown): Promise<unknown> => {
    try {
      const { status, body } = await askLocally(socket, path, JSON.stringify(question), LIMITS)
      if (status === 200) return JSON.parse(body.toString())
      throw new Error(`the vault answered ${status} ${body.toString()}`)
    } catch (error) {
      log.error('the vault does not answer', { path, error })
      throw new AppError('codes_unavailable', {}, { cause: error })
    }
  }
  return {
    async keys() {
      const keys = (await ask('/keys', null)) as readonly { id: number; checkValue: string }[]
      return keys.map(({ id, checkValue }): KnownKey => ({ id, checkValue: bytes(checkValue) }))
    },
    async wrap(kekId, rows) {
      const question = { kekId, rows: rows.map((row) => ({ ...row, rowKey: text(row.rowKey) })) }
      return ((await ask('/wrap', question)) as string[]).map(bytes)
    },
    async unwrap(rows) {
      const question = rows.map((row) => ({ ...row, wrappedKey: text(row.wrappedKey) }))
      return ((await ask('/unwrap', question)) as string[]).map(bytes)
    },
  }
}

/** What the process that keeps the keys answers. */
export async function answerForVault(
  vault: Vault,
  { path, body }: LocalCall,
): Promise<LocalAnswer> {
  const question: unknown = JSON.parse(body.toString())
  switch (path) {
    case '/keys':
      return json(
        (await vault.keys()).map(({ id, checkValue }) => ({ id, checkValue: text(checkValue) })),
      )
    case '/wrap': {
      const { kekId, rows } = question as { kekId: number; rows: readonly Texts<Unwrapped>[] }
      const wrapped = await vault.wrap(
        kekId,
        rows.map(({ id, item, rowKey }) => ({ id, item, rowKey: bytes(rowKey) })),
      )
      return json(wrapped.map(text))
    }
    case '/unwrap': {
      const rows = (question as readonly Texts<Wrapped>[]).map(
        ({ id, item, wrappedKey, kekId }) => ({ id, item, wrappedKey: bytes(wrappedKey), kekId }),
      )
      return json((await vault.unwrap(rows)).map(text))
    }
    default:
      return { status: 404, headers: {}, body: Buffer.from(path) }
  }
}

/** As JSON carries it: bytes in base64. */
type Texts<Row> = {
  readonly [Name in keyof Row]: Row[Name] extends Uint8Array ? string : Row[Name]
}

function json(value: unknown): LocalAnswer {
  return { status: 200, headers: {}, body: Buffer.from(JSON.stringify(value)) }
}

const text = (value: Uint8Array) => Buffer.from(value).toString('base64')
const bytes = (value: string) => Buffer.from(value, 'base64')
