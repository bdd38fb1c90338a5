import { createHash } from 'node:crypto'
import { sql, type CompiledQuery } from 'kysely'
import type { SharedClient, Statement, StatementResult } from './shared-pool.ts'

const mark = '/* prepared */'

/**
 * Marks a statement that each connection parses once and plans seldom. The statement must be a transaction of one
 * statement, with one text for all values, and a plan that does not depend on the values, such as a limit.
 */
export const prepared = sql.raw(mark)

/** Marks a query of the query builder in the same way. */
export const asPrepared = <Row>(query: CompiledQuery<Row>): CompiledQuery<Row> => ({
  ...query,
  sql: `${mark} ${query.sql}`,
})

/** Removes the mark from a statement that joins a transaction of the caller. */
export const withoutMark = (text: string): string => text.replace(mark, '')

/** Runs statements; marked statements run as named prepared statements. */
export interface Preparing {
  query(client: SharedClient, statement: Statement): Promise<StatementResult>
}

// A plan for empty tables would scan the tables after they have grown.
const planAgeMs = 1000

const names = new Map<string, string>()
const plannedAt = new WeakMap<SharedClient, number>()

/**
 * With a pooler in transaction mode, a name may be known on another connection only; after a migration that changes the
 * type of a column, prepared statements fail permanently. Statements then run without names. A name is a hash of its
 * text, so that it identifies one statement.
 */
export function createPreparing(): Preparing {
  let works = true
  return {
    async query(client, statement) {
      if (!works || !statement.text.startsWith(mark)) return client.query(statement)
      try {
        await forgetOldPlans(client, statement)
        return await client.query({ ...statement, name: statementName(statement.text) })
      } catch (error) {
        if (!refusals.has((error as { code?: unknown }).code)) throw error
        works = false
        return client.query(statement)
      }
    },
  }
}

// An unknown name, a duplicate name, and a plan with outdated column types (whose code means "feature not supported").
// The statement has not run.
const refusals = new Set<unknown>(['26000', '42P05', '0A000'])

/** Uses the timeout of the next statement, because the server may have vanished. */
async function forgetOldPlans(client: SharedClient, statement: Statement): Promise<void> {
  const now = performance.now()
  const before = plannedAt.get(client)
  if (before !== undefined && now - before < planAgeMs) return
  plannedAt.set(client, now)
  if (before !== undefined) await client.query({ ...statement, text: 'discard plans', values: [] })
}

function statementName(text: string): string {
  let name = names.get(text)
  if (name === undefined) {
    name = `sallyport_${createHash('sha256').update(text).digest('base64url')}`
    names.set(text, name)
  }
  return name
}
