import {
  checkValueOf,
  randomForVault,
  type VaultKey,
  type VaultKeys,
} from '#platform/vault-keys.ts'
import { unwrapKey, wrapKey, type Place } from './envelope.ts'

/** Where key-encryption keys are: it wraps and unwraps the rows' keys, and sees nothing of what those encrypt. */
export interface Vault {
  /** Numbers of the keys there, ascending, each with what tells it from another of that number. */
  keys(): Promise<readonly KnownKey[]>
  wrap(kekId: number, rows: readonly Unwrapped[]): Promise<Buffer[]>
  unwrap(rows: readonly Wrapped[]): Promise<Buffer[]>
}

export interface KnownKey {
  readonly id: number
  readonly checkValue: Buffer
}

export interface Unwrapped extends Place {
  readonly rowKey: Uint8Array
}

export interface Wrapped extends Place {
  readonly wrappedKey: Uint8Array
  readonly kekId: number
}

/** A vault in this very process: for commands of whoever has the keys, and for the process that keeps them. */
export function openVault(read: () => VaultKeys): Vault {
  let known = read()
  // A key that was added meanwhile is taken up when it is first asked for.
  const keyOf = (id: number): VaultKey => {
    const key = known.byId.get(id) ?? (known = read()).byId.get(id)
    if (!key) throw new Error(`key ${id} of the card keys is not here`)
    return key
  }
  return {
    async keys() {
      known = read()
      return [...known.byId.values()].map((key) => ({ id: key.id, checkValue: checkValueOf(key) }))
    },
    async wrap(kekId, rows) {
      const kek = keyOf(kekId)
      return rows.map((row) => wrapKey(row.rowKey, row, kek, randomForVault))
    },
    async unwrap(rows) {
      return rows.map((row) => unwrapKey(row.wrappedKey, row, keyOf(row.kekId)))
    },
  }
}
