import * as kysely from 'kysely'
import type { DatabaseConnection, QueryResult } from 'kysely'
import { setTimeout as sleep } from 'node:timers/promises'
import { isRolledBack, rolledBack, SqliteError, transactionTooLong } from './errors.ts'
import { tooLarge } from './connection.ts'
import { isFileLost } from './open-file.ts'
import type {
  AccessMode,
  QueryRequest,
  QueryResponse,
  SettleRequest,
  StatementRequest,
} from './worker-messages.ts'
import type { ConnectionLock } from './connection-mutex.ts'
import type { DoneCommand } from './settle-done.ts'
import { unavailable, retryWhileLocked } from './busy.ts'
import type { WorkerClient } from './worker-client.ts'

// Older supported versions of Kysely do not export the class.
const { AbortedTransactionError } = kysely as Partial<typeof kysely>

/**
 * Disables the idle and lock timeouts of the connection for its user; on other databases, the query has no effect.
 */
export const disableTimeouts: kysely.CompiledQuery = kysely.CompiledQuery.raw('select 1')

/** A settlement as a query, so that it joins a transaction of Kysely; its row is the result. */
export const settleQuery = (settle: DoneCommand): kysely.CompiledQuery & SettleRequest => ({
  ...kysely.CompiledQuery.raw('select 1'),
  settle,
})

export interface ConnectionLimits {
  /** How long a statement waits for the lock of another process. */
  readonly busyTimeoutMs: number
  readonly idleInTransactionTimeoutMs: number
  /** How long a transaction that writes may take before it is rolled back. */
  readonly transactionMs?: number | undefined
  /**
   * Runs the first attempt to begin a transaction when no other writer of this process uses the file.
   *
   * @default no other writer
   */
  readonly betweenWrites?: (<T>(begin: () => Promise<T>) => Promise<T>) | undefined
}

/** The connection to the worker while one caller uses it. */
export class WorkerConnection implements DatabaseConnection {
  readonly #worker: WorkerClient<QueryRequest, QueryResponse>
  readonly #lock: ConnectionLock
  readonly #limits: ConnectionLimits
  /** The open transaction, with the generation of the worker that began it. */
  #transaction: { readonly mode: AccessMode; readonly generation: number } | undefined
  #idle: NodeJS.Timeout | undefined
  #running = 0
  #requests = 0
  #hasNoTimeouts = false
  #revoked = false

  constructor(
    worker: WorkerClient<QueryRequest, QueryResponse>,
    lock: ConnectionLock,
    limits: ConnectionLimits,
  ) {
    this.#worker = worker
    this.#lock = lock
    this.#limits = limits
  }

  async executeQuery<Row>(query: kysely.CompiledQuery): Promise<QueryResult<Row>> {
    if (query === disableTimeouts) this.#hasNoTimeouts = true
    const { sql, parameters } = query
    const response = await this.#request(
      'settle' in query ? { settle: (query as unknown as SettleRequest).settle } : { sql, parameters },
    )
    if (response.tooLarge) throw tooLarge()
    const { rows, changes, insertId } = response
    return {
      rows: rows as Row[],
      ...(changes !== undefined && { numAffectedRows: BigInt(changes) }),
      ...(insertId !== undefined && { insertId: BigInt(insertId) }),
    }
  }

  /** Reads the whole result first, then returns it in chunks. */
  async *streamQuery<Row>(
    query: kysely.CompiledQuery,
    chunkSize: number,
  ): AsyncIterableIterator<QueryResult<Row>> {
    const { rows } = await this.executeQuery<Row>(query)
    for (let start = 0; start < rows.length; start += chunkSize) {
      yield { rows: rows.slice(start, start + chunkSize) }
    }
  }

  async run(sql: string): Promise<void> {
    await this.#request({ sql, parameters: [] })
  }

  async begin(mode: AccessMode): Promise<void> {
    if (mode === 'read only') await this.run('begin')
    else {
      const { betweenWrites, transactionMs } = this.#limits
      await this.#request({ sql: 'begin immediate', parameters: [], transactionMs }, betweenWrites)
    }
    this.#transaction = { mode, generation: this.#worker.generation }
    if (this.#hasNoTimeouts) return
    this.#idle = setTimeout(() => {
      this.#revoke()
    }, this.#limits.idleInTransactionTimeoutMs).unref()
  }

  async commit(): Promise<void> {
    try {
      await this.run('commit')
    } catch (error) {
      if (!isRolledBack(error) || AbortedTransactionError === undefined) throw error
      this.#end()
      throw new AbortedTransactionError({ cause: error })
    }
    this.#end()
  }

  async rollback(): Promise<void> {
    // A transaction ends with its worker.
    const hasEnded = this.#revoked || this.#isLost()
    this.#end()
    if (!hasEnded) await this.#rollBack()
  }

  async release(): Promise<void> {
    if (this.#revoked) return
    try {
      // Kysely leaves the transaction open when the caller throws an error of another transaction's commit.
      if (this.#transaction !== undefined) await this.rollback()
    } finally {
      this.#lock.end()
    }
  }

  async #request(
    request: StatementRequest | SettleRequest,
    runFirst?: ConnectionLimits['betweenWrites'],
  ): Promise<QueryResponse> {
    if (this.#revoked) throw this.#revocation()
    if (this.#isLost()) {
      const message = 'The thread that held this transaction has ended'
      throw new SqliteError({ code: 'WORKER_DIED', message })
    }
    const transaction = this.#transaction && { transaction: this.#transaction.mode }
    const attempt = () => this.#worker.request({ ...request, ...transaction })
    let isFirst = runFirst !== undefined
    const run = () => {
      const first = isFirst ? runFirst : undefined
      isFirst = false
      return first ? first(attempt) : attempt()
    }
    // The wait for the connection has a separate timeout.
    const withLock = (attempt: typeof run) => this.#lock.use(attempt)
    this.#requests += 1
    this.#running += 1
    try {
      // Migrations retry at a higher level, and other callers use the connection in between.
      if (this.#hasNoTimeouts) return await withLock(run)
      // Settings of the connection must not apply to other callers.
      const pause = (forMs: number) => (this.#requests === 1 ? this.#lock.yieldFor(forMs) : sleep(forMs))
      return await retryWhileLocked(run, this.#limits.busyTimeoutMs, withLock, pause)
    } catch (error) {
      throw isFileLost(error) ? unavailable(error) : error
    } finally {
      this.#running -= 1
      this.#idle?.refresh()
    }
  }

  /** Rolls an idle transaction back, so that other callers get the connection. */
  #revoke(): void {
    if (this.#running > 0) return
    this.#revoked = true
    this.#rollBack()
      .catch(() => undefined)
      .finally(() => {
        this.#lock.end()
      })
  }

  #revocation(): SqliteError {
    const { transactionMs } = this.#limits
    if (transactionMs !== undefined) return transactionTooLong(transactionMs)
    return rolledBack('The transaction has waited too long for its next statement')
  }

  async #rollBack(): Promise<void> {
    try {
      await this.#worker.request('rollback')
    } catch (error) {
      // The thread ends with a transaction that cannot be rolled back, so that later statements do not join it.
      if ((error as SqliteError).code !== 'CLOSED') await this.#worker.kill()
      throw error
    }
  }

  #end(): void {
    clearTimeout(this.#idle)
    this.#idle = undefined
    this.#transaction = undefined
  }

  #isLost(): boolean {
    return this.#transaction !== undefined && this.#transaction.generation !== this.#worker.generation
  }
}
