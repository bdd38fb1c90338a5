import type { SqlListOptions } from '@sallyport/rest/kysely'
import { createPlaces, type Places } from '../places.ts'

/** How lists are searched: each search reads all rows of its list, which anybody may ask for often. */
export interface Search {
  /** How this database is asked for a part of a text. */
  readonly contains: NonNullable<SqlListOptions['contains']>
  /** Where searches are made. */
  readonly inTurn: Places
}

export interface SearchOptions extends Pick<Search, 'contains'> {
  /** How many are under way at the same time. */
  readonly atOnce: number
  /** How many may wait: most are over long before the time is. @default 256 */
  readonly maxWaiting?: number
}

/**
 * Bounds the searches of a process, whichever lists they are of: the others who ask the database are never behind more of
 * them than are under way at once.
 */
export function createSearch({ contains, atOnce, maxWaiting = 256 }: SearchOptions): Search {
  return {
    contains,
    inTurn: createPlaces({ atOnce, maxWaiting, message: 'Too many searches at once; try again' }),
  }
}
