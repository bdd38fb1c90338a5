import { isSallyportError, SallyportError } from '@sallyport/errors'
import { inboxUnavailable } from '../internal/errors.ts'
import { isTooNew } from '../migrations/understood.ts'

const maxAttempts = 3

// Class 40: the transaction was rolled back in favor of another, and may succeed on a retry.
const rolledBack = /^40/
// Classes 22 and 23: bad data and broken constraints; 54: a value too long for an index.
const rowErrors = /^(?:22|23|54)/
const undefinedTable = '42P01'

/** Runs a transaction of one statement, and retries it after a conflict with another transaction. */
async function attempt<T>(statement: () => Promise<T>): Promise<T> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await statement()
    } catch (error) {
      if (!rolledBack.test(errorCode(error)) || attempts === maxAttempts) throw error
    }
  }
}

/** Writes items together; after an error of one item, writes them in halves, so that only that item fails. */
export async function writeTogether<Item, Result>(
  items: readonly Item[],
  write: (items: readonly Item[]) => Promise<readonly Result[]>,
): Promise<readonly PromiseSettledResult<Result>[]> {
  try {
    const results = await attempt(() => write(items))
    return results.map((value) => ({ status: 'fulfilled', value }))
  } catch (error) {
    if (items.length === 1 || !isRowError(error)) {
      const reason = toInboxError(error)
      return items.map(() => ({ status: 'rejected', reason }))
    }
    const middle = items.length >> 1
    return [
      ...(await writeTogether(items.slice(0, middle), write)),
      ...(await writeTogether(items.slice(middle), write)),
    ]
  }
}

/** Runs a statement and converts its error to one of the inbox. */
export async function writeOnce<T>(statement: () => Promise<T>): Promise<T> {
  try {
    return await attempt(statement)
  } catch (error) {
    throw toInboxError(error)
  }
}

function isRowError(error: unknown): boolean {
  if (isSallyportError(error)) return false
  const code = errorCode(error)
  // An error of this process, such as a text that exceeds the maximum length, belongs to an item too.
  return code === '' || rowErrors.test(code)
}

function toInboxError(error: unknown): Error {
  if (isSallyportError(error) && isTooNew(error)) return error
  // Includes `OVERLOADED` of the pool: a database that does not answer occupies every connection.
  if (isSallyportError(error)) return inboxUnavailable(error.cause)
  if (errorCode(error) !== undefinedTable) return inboxUnavailable(error)
  return inboxUnavailable(
    new SallyportError(
      'DATABASE_TOO_OLD',
      'The tables of the inbox are missing: set `migrate`, or call migrate() when the server starts',
      { cause: error },
    ),
  )
}

function errorCode(error: unknown): string {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' ? code : ''
}
