import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { SharedClient, Statement, StatementResult } from './shared-pool.ts'

const mark = '/* prepared */'

/**
 * Begins a statement that each connection parses once, and plans seldom. It has to be a transaction by itself, and one
 * text for all of its values; its plan must not hang on them, as on how many rows a limit asks for.
 */
export const prepared = sql.raw(mark)

/** The text of a statement that comes to stand in a transaction of others. */
export const withoutMark = (text: string): string => text.replace(mark, '')

/** Runs statements, those that are marked by names. */
export interface Preparing {
  query(client: SharedClient, statement: Statement): Promise<StatementResult>
}

// A plan for tables that were empty would read all of what they have become since.
const planAgeMs = 1000

const names = new Map<string, string>()
const plannedAt = new WeakMap<SharedClient, number>()

/**
 * Behind a pooler that lends connections by transaction, a name may be known where it was not given, and the other way
 * round; after a migration that changes the type of a column, what was prepared before it is refused for good. Statements
 * go without names from then on. A name is a hash of its text, so that it never stands for another.
 */
export function createPreparing(): Preparing {
  let works = true
  return {
    async query(client, statement) {
      if (!works || !statement.text.startsWith(mark)) return client.query(statement)
      try {
        await forgetOldPlans(client, statement)
        return await client.query({ ...statement, name: nameOf(statement.text) })
      } catch (error) {
        if (!refusals.has((error as { code?: unknown }).code)) throw error
        works = false
        return client.query(statement)
      }
    },
  }
}

// Of a name that is not known, of one that is, and of a plan whose columns have other types now, which has the code of all
// that is not supported: nothing has come of it.
const refusals = new Set<unknown>(['26000', '42P05', '0A000'])

/** With the patience of the statement that comes next: the server may be gone without a word. */
async function forgetOldPlans(client: SharedClient, statement: Statement): Promise<void> {
  const now = performance.now()
  const before = plannedAt.get(client)
  if (before !== undefined && now - before < planAgeMs) return
  plannedAt.set(client, now)
  if (before !== undefined) await client.query({ ...statement, text: 'discard plans', values: [] })
}

function nameOf(text: string): string {
  let name = names.get(text)
  if (name === undefined) {
    name = `sallyport_${createHash('sha256').update(text).digest('base64url')}`
    names.set(text, name)
  }
  return name
}
