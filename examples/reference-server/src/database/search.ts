import { SallyportError } from '@sallyport/errors'
import type { SqlListOptions } from '@sallyport/rest/kysely'

/** How lists are searched: each search reads all rows of its list, which anybody may ask for often. */
export interface Search {
  /** How this database is asked for a part of a text. */
  readonly contains: NonNullable<SqlListOptions['contains']>
  /**
   * Searches, when those who asked before have left a place.
   *
   * @throws SallyportError 503 `OVERLOADED` with `Retry-After` when too many wait already, or for too long
   */
  readonly inTurn: <T>(search: () => Promise<T>) => Promise<T>
}

export interface SearchOptions extends Pick<Search, 'contains'> {
  /** How many are under way at the same time. */
  readonly atOnce: number
  /** How many may wait. @default 32 */
  readonly maxWaiting?: number
  /** How long one waits, in milliseconds. @default 5,000 */
  readonly patienceMs?: number
}

/**
 * Bounds the searches of a process, whichever lists they are of: the others who ask the database are never behind more of
 * them than are under way at once.
 */
export function createSearch(options: SearchOptions): Search {
  const { contains, atOnce, maxWaiting = 32, patienceMs = 5000 } = options
  const waiting = new Set<() => void>()
  let underWay = 0

  function begin(): Promise<void> {
    if (underWay < atOnce) {
      underWay += 1
      return Promise.resolve()
    }
    if (waiting.size >= maxWaiting) return Promise.reject(overloaded())
    return new Promise((resolve, reject) => {
      const proceed = () => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        waiting.delete(proceed)
        reject(overloaded())
      }, patienceMs)
      waiting.add(proceed)
    })
  }

  /** Gives the place straight to whoever waits longest, so that nobody slips in between. */
  function end(): void {
    const [proceed] = waiting
    if (proceed === undefined) {
      underWay -= 1
      return
    }
    waiting.delete(proceed)
    proceed()
  }

  return {
    contains,
    async inTurn(search) {
      await begin()
      try {
        return await search()
      } finally {
        end()
      }
    },
  }
}

function overloaded(): SallyportError {
  return new SallyportError('OVERLOADED', 'Too many search at once; try again', {
    headers: { 'Retry-After': '1' },
  })
}
