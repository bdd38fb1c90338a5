import { setTimeout as sleep } from 'node:timers/promises'
import * as kysely from 'kysely'
import type { DatabaseConnection, QueryResult } from 'kysely'
import { isRolledBack, rolledBack, SqliteError } from './errors.ts'
import { tooLarge } from './integers.ts'
import { isFileLost } from './open-file.ts'
import { unavailable } from './overloaded.ts'
import type { AccessMode, QueryRequest, QueryResponse } from './query-messages.ts'
import type { Turn } from './turn.ts'
import { whileLocked } from './while-locked.ts'
import type { WorkerClient } from './worker-client.ts'

// Not every Kysely that the package takes has it.
const { AbortedTransactionError } = kysely as Partial<typeof kysely>

/**
 * Asks a connection not to end the transactions of whoever has it, however long they wait, and to wait for nobody's lock;
 * elsewhere, for nothing.
 */
export const patiently: kysely.CompiledQuery = kysely.CompiledQuery.raw('select 1')

export interface Lending {
  /** How long a statement waits for another's lock. */
  readonly busyTimeoutMs: number
  readonly idleInTransactionTimeoutMs: number
  /**
   * Resolves once somebody else of this process has had the file. Whoever finds it locked looks again now and then: without
   * this, transactions that follow one another would leave it to him for moments only, which he misses for seconds.
   *
   * @default nobody else is there
   */
  readonly letOthersWrite?: (() => Promise<unknown>) | undefined
}

/** The one connection to the worker, as long as somebody has it. */
export class WorkerConnection implements DatabaseConnection {
  readonly #worker: WorkerClient<QueryRequest, QueryResponse>
  readonly #turn: Turn
  readonly #lending: Lending
  /** What was begun, and the generation of the worker that it was begun in. */
  #transaction: { readonly mode: AccessMode; readonly generation: number } | undefined
  #idle: NodeJS.Timeout | undefined
  #underWay = 0
  #asked = 0
  #patient = false
  #revoked = false

  constructor(worker: WorkerClient<QueryRequest, QueryResponse>, turn: Turn, lending: Lending) {
    this.#worker = worker
    this.#turn = turn
    this.#lending = lending
  }

  async executeQuery<Row>(query: kysely.CompiledQuery): Promise<QueryResult<Row>> {
    if (query === patiently) this.#patient = true
    const response = await this.#request(query.sql, query.parameters)
    if (response.tooLarge) throw tooLarge()
    const { rows, changes, insertId } = response
    return {
      rows: rows as Row[],
      ...(changes !== undefined && { numAffectedRows: BigInt(changes) }),
      ...(insertId !== undefined && { insertId: BigInt(insertId) }),
    }
  }

  /** Reads the whole result first, then gives it out in chunks. */
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
    await this.#request(sql, [])
  }

  async begin(mode: AccessMode): Promise<void> {
    if (mode === 'read only') await this.run('begin')
    else {
      await this.#lending.letOthersWrite?.()
      await this.run('begin immediate')
    }
    this.#transaction = { mode, generation: this.#worker.generation }
    if (this.#patient) return
    this.#idle = setTimeout(() => {
      this.#revoke()
    }, this.#lending.idleInTransactionTimeoutMs).unref()
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
    // Where the worker has died, the transaction went with it.
    const isGone = this.#revoked || this.#isLost()
    this.#end()
    if (!isGone) await this.#rollBack()
  }

  async release(): Promise<void> {
    if (this.#revoked) return
    try {
      // Kysely leaves it open when the caller throws what another transaction's commit threw.
      if (this.#transaction !== undefined) await this.rollback()
    } finally {
      this.#turn.end()
    }
  }

  async #request(sql: string, parameters: readonly unknown[]): Promise<QueryResponse> {
    if (this.#revoked) throw rolledBack('The transaction has waited too long for its next statement')
    if (this.#isLost()) {
      const message = 'The thread that held this transaction has ended'
      throw new SqliteError({ code: 'WORKER_DIED', message })
    }
    const transaction = this.#transaction && { transaction: this.#transaction.mode }
    const run = () => this.#worker.request({ sql, parameters, ...transaction })
    // Others are waited for by their own measure, which is not that of a lock.
    const inTurn = (attempt: typeof run) => this.#turn.use(attempt)
    this.#asked += 1
    this.#underWay += 1
    try {
      // Migrations try again by themselves, and others have the connection in between.
      if (this.#patient) return await inTurn(run)
      // What has been set for the connection is for nobody else.
      const pause = (forMs: number) => (this.#asked === 1 ? this.#turn.giveWay(forMs) : sleep(forMs))
      return await whileLocked(run, this.#lending.busyTimeoutMs, inTurn, pause)
    } catch (error) {
      throw isFileLost(error) ? unavailable(error) : error
    } finally {
      this.#underWay -= 1
      this.#idle?.refresh()
    }
  }

  /** Lets others have the connection that somebody keeps a transaction open on. */
  #revoke(): void {
    if (this.#underWay > 0) return
    this.#revoked = true
    this.#rollBack()
      .catch(() => undefined)
      .finally(() => {
        this.#turn.end()
      })
  }

  async #rollBack(): Promise<void> {
    try {
      await this.#worker.request('rollback')
    } catch (error) {
      // What cannot be ended goes with its thread, rather than take in what comes next.
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
