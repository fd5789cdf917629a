/**
 * The process that keeps the keys under which the keys of card keys are wrapped. It has no database and hears from nobody but this shop's
 * other processes on this machine; it never sees a card key.
 */
import { openVault } from '#features/buying/vault/engine/vault.ts'
import { answerForVault } from '#features/buying/vault/engine/vault-process.ts'
import { ownSocket, serveLocally } from '#platform/local-service.ts'
import { ownVaultKeys } from '#platform/vault-keys.ts'

const vault = openVault(ownVaultKeys())
const server = await serveLocally(ownSocket('vault'), (call) => answerForVault(vault, call))

const end = () => server.close(() => process.exit(0))
process.once('SIGTERM', end)
process.once('SIGINT', end)
