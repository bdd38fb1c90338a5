import type { SqlListOptions } from '@sallyport/rest/kysely'
import { createConcurrencyLimit, type ConcurrencyLimit } from './concurrency-limit.ts'

/** The search of lists. A search reads all rows of its list, so concurrent searches are limited. */
export interface Search {
  /** The function of the database that finds a part of a text. */
  readonly contains: NonNullable<SqlListOptions['contains']>
  /** Runs searches, a limited number at a time. */
  readonly run: ConcurrencyLimit
}

export interface SearchOptions extends Pick<Search, 'contains'> {
  /** Searches that run at the same time. */
  readonly maxRunning: number
  /** Searches that may wait. @default 256 */
  readonly maxWaiting?: number
}

/**
 * Limits the concurrent searches of a process over all lists, so that other queries do not wait for them.
 */
export function createSearch({ contains, maxRunning, maxWaiting = 256 }: SearchOptions): Search {
  return {
    contains,
    run: createConcurrencyLimit({ maxRunning, maxWaiting, message: 'Too many searches at once; try again' }),
  }
}
