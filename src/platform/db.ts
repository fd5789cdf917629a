import { createHash } from 'node:crypto'
import {
  CompiledQuery,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  type TransactionSettings,
} from 'kysely'
import pg from 'pg'
import type { Tables } from './tables.ts'

export type Db = Kysely<Tables>

export interface DatabaseOptions {
  readonly url: string
  readonly poolSize: number
  /** Milliseconds after which the server ends a statement. */
  readonly statementTimeoutMs: number
  /** Milliseconds after which the server ends a transaction in which nothing is asked; what it has locked keeps others waiting as long. */
  readonly idleInTransactionMs?: number
  /** Its questions take one core of the server at most, however much they read. */
  readonly isModest?: boolean
}

const IDLE_IN_TRANSACTION_MS = 10_000
/** What a connection has prepared and planned goes with it: a page of the console costs the server four times as much by new ones. */
const IDLE_CONNECTION_MS = 600_000

/** A pool of connections behind Kysely. Close it with `destroy()`. */
export function openDatabase(options: DatabaseOptions): Db {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize,
    statement_timeout: options.statementTimeoutMs,
    lock_timeout: 3_000,
    idle_in_transaction_session_timeout: options.idleInTransactionMs ?? IDLE_IN_TRANSACTION_MS,
    application_name: 'lukado',
    idleTimeoutMillis: IDLE_CONNECTION_MS,
    // Whatever stands between here and a server elsewhere forgets who is silent.
    keepAlive: true,
    ...(options.isModest === true && { options: '-c max_parallel_workers_per_gather=0' }),
  })
  // A connection that dies while nobody asks it anything, in the pool or within a transaction, is replaced or refuses the next query;
  // without a listener the process would end.
  pool.on('error', () => {}).on('connect', (client) => void client.on('error', () => {}))
  return new Kysely<Tables>({ dialect: new PreparedPostgresDialect(pool) })
}

/**
 * Kysely's own PostgreSQL dialect sends unnamed statements, which the server parses and plans each time (half the speed,
 * measured). This one names every statement by its text, so that each connection prepares it once.
 */
class PreparedPostgresDialect implements Dialect {
  readonly #pool: pg.Pool
  constructor(pool: pg.Pool) {
    this.#pool = pool
  }
  createAdapter() {
    return new PostgresAdapter()
  }
  createDriver(): Driver {
    return new PreparedDriver(this.#pool)
  }
  createIntrospector(db: Kysely<unknown>) {
    return new PostgresIntrospector(db)
  }
  createQueryCompiler() {
    return new PostgresQueryCompiler()
  }
}

class PreparedDriver implements Driver {
  readonly #pool: pg.Pool
  constructor(pool: pg.Pool) {
    this.#pool = pool
  }
  async init(): Promise<void> {}
  async acquireConnection(): Promise<PreparedConnection> {
    return new PreparedConnection(await this.#pool.connect())
  }
  async beginTransaction(
    connection: DatabaseConnection,
    settings: TransactionSettings,
  ): Promise<void> {
    const level = settings.isolationLevel ? ` isolation level ${settings.isolationLevel}` : ''
    await connection.executeQuery(CompiledQuery.raw(`begin${level}`))
  }
  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'))
  }
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('rollback'))
  }
  async releaseConnection(connection: PreparedConnection): Promise<void> {
    connection.release()
  }
  async destroy(): Promise<void> {
    await this.#pool.end()
  }
}

class PreparedConnection implements DatabaseConnection {
  readonly #client: pg.PoolClient
  #isOutdated = false
  constructor(client: pg.PoolClient) {
    this.#client = client
  }
  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const text = query.sql
    const values = [...query.parameters]
    const result = await this.#client
      .query({ name: statementName(text), text, values })
      .catch((error: unknown) => {
        if (!isOutdatedPlan(error)) throw error
        // A newer release has added columns to what `select *` reads: what this connection has prepared is worth nothing any more.
        this.#isOutdated = true
        return this.#client.query({ text, values })
      })
    return {
      rows: result.rows as R[],
      numAffectedRows: BigInt(result.rowCount ?? 0),
    }
  }
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Streaming is not supported: read in pages')
  }
  release(): void {
    this.#client.release(this.#isOutdated)
  }
}

const names = new Map<string, string>()

/** Statements of more text than this are made once (bulk imports): naming them would only fill the server's memory. */
const NAMED_LENGTH_MAX = 8_000
const NAMES_MAX = 2_000

function statementName(text: string): string | undefined {
  const known = names.get(text)
  if (known) return known
  if (text.length > NAMED_LENGTH_MAX || names.size >= NAMES_MAX) return undefined
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 20)
  names.set(text, name)
  return name
}

/** Within a transaction the statement cannot be sent anew: it fails, and its caller's next try has another connection. */
function isOutdatedPlan(error: unknown): boolean {
  return error instanceof Error && error.message === 'cached plan must not change result type'
}

const ROLLBACK = /^40/

/** Whether the server took a statement or transaction back because of others (class 40), a function of ours that says so among them. */
export function isRollback(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    ROLLBACK.test(error.code)
  )
}

const LOCK_NOT_FREE = '55P03'

/** Whether nothing came of it because others were at the same thing for too long, or first: tried again, it is done. */
export function isBusy(error: unknown): boolean {
  return (
    isRollback(error) || (error instanceof Error && 'code' in error && error.code === LOCK_NOT_FREE)
  )
}

/** Whether a row was refused because another has what that constraint wants to be unique. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    error.code === '23505' &&
    'constraint' in error &&
    error.constraint === constraint
  )
}
