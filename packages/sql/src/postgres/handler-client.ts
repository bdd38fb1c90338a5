import type { Kysely } from 'kysely'
import { quoteText } from './dialect.ts'
import { ignoreErrors } from './pool.ts'
import type { SharedClient, Statement, StatementResult, TransactionClient } from './shared-pool.ts'
import type { OpenTransaction } from './within.ts'

/** A Kysely instance for PostgreSQL. */
interface KyselyClient {
  readonly isTransaction: boolean
  transaction(): { execute(run: (transaction: unknown) => Promise<never>): Promise<unknown> }
}

/** A Drizzle database for PostgreSQL, with any of its drivers. */
interface DrizzleClient {
  transaction(run: (transaction: unknown) => Promise<never>): Promise<unknown>
}

/** A `pg.Pool`. */
interface PoolClient {
  readonly totalCount: number
  connect(): Promise<unknown>
  query(...statement: never): unknown
}

/** A client of the application: a `pg.Pool`, a Kysely instance, or a Drizzle database. */
export type HandlerClient = KyselyClient | DrizzleClient | PoolClient

/** The transaction of a client: for a `pg.Pool`, the `query` of a client after `begin`. */
export type TransactionOf<Client> = Client extends {
  transaction(): { execute(run: (transaction: infer Tx) => never): unknown }
}
  ? Tx
  : Client extends { transaction(run: (transaction: infer Tx) => never): unknown }
    ? Tx
    : Client extends { query: infer Query }
      ? { readonly query: Query }
      : never

type Work = (transaction: unknown, open: OpenTransaction) => Promise<void>

/**
 * Runs work in a transaction of the client.
 *
 * @throws TypeError for a client that is none of these, or in a transaction already
 */
export function transactionsOf(client: HandlerClient): (work: Work) => Promise<void> {
  if ('isTransaction' in client) {
    const kysely = client as unknown as Kysely<unknown>
    if (kysely.isTransaction) throw new TypeError('The client of a handler must not be a transaction')
    return (work) => kysely.transaction().execute((transaction) => work(transaction, transaction))
  }
  if ('transaction' in client) {
    const drizzle = client as unknown as Drizzle
    return async (work) => {
      await drizzle.transaction((transaction) => {
        const { client: connection } = transaction.session ?? {}
        if (isEmitter(connection)) ignoreErrors(connection)
        return work(transaction, adaptDrizzle(transaction))
      })
    }
  }
  if ('connect' in client && 'totalCount' in client) return transactionsOfPool(client as unknown as Pool)
  throw new TypeError('client must be a pg.Pool, a Kysely instance, or a Drizzle database')
}

interface Pool {
  connect(): Promise<SharedClient>
}

function transactionsOfPool(pool: Pool): (work: Work) => Promise<void> {
  return async (work) => {
    const client = await pool.connect()
    ignoreErrors(client)
    const run = (text: string) => client.query({ text })
    let isBroken = true
    let isOpen = true
    // A step that outlives its signal must not write outside of its transaction.
    const query: TransactionClient['query'] = (...statement) => {
      if (!isOpen) throw new Error('The transaction of the handler has ended')
      return client.query(...statement)
    }
    try {
      await run('begin')
      try {
        await work({ query }, client).finally(() => {
          isOpen = false
        })
        await run('commit')
      } catch (error) {
        await run('rollback')
        isBroken = false
        throw error
      }
      isBroken = false
    } finally {
      client.release(isBroken)
    }
  }
}

interface Drizzle {
  transaction(run: (transaction: DrizzleTransaction) => Promise<void>): Promise<unknown>
}

interface DrizzleTransaction {
  execute(text: string): Promise<unknown>
  /** Its connection is one of `pg` with the driver of that name. */
  readonly session?: { readonly client?: unknown }
}

const isEmitter = (connection: unknown): connection is SharedClient =>
  typeof connection === 'object' && connection !== null && 'on' in connection

/** Drizzle runs a text without parameters only, so the values become literals. */
function adaptDrizzle(transaction: DrizzleTransaction): TransactionClient {
  return {
    async query({ text, values = [] }: Statement): Promise<StatementResult> {
      const literal = text.replace(/\$(\d+)/g, (_, number: string) => toLiteral(values[Number(number) - 1]))
      const result = await transaction.execute(literal)
      // Some drivers return the rows, and others an object with them.
      const rows = Array.isArray(result) ? (result as unknown[]) : (result as { rows: unknown[] }).rows
      return { rows, rowCount: rows.length, command: '' }
    },
  }
}

function toLiteral(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return `array[${value.map(toLiteral).join()}]`
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value === 'string') return quoteText(value)
  throw new TypeError('The value has no literal')
}
