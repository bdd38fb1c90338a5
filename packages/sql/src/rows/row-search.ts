import { SallyportError } from '@sallyport/errors'
import { createSemaphore } from '@sallyport/internal/semaphore'

/** The search of lists. A search reads all rows of its list, so concurrent searches are limited. */
export interface RowSearch {
  /** The function of the database that finds a part of a text. */
  readonly contains: 'instr' | 'strpos'
  /** Runs searches, a limited number at a time. */
  readonly run: <Result>(search: () => Promise<Result>) => Promise<Result>
}

interface RowSearchOptions extends Pick<RowSearch, 'contains'> {
  /** Searches that run at the same time. */
  readonly maxRunning: number
  /** Searches that may wait. @default 256 */
  readonly maxWaiting?: number
}

/**
 * Limits the concurrent searches of a process over all lists, so that other queries do not wait for them.
 */
export function createRowSearch({ contains, maxRunning, maxWaiting = 256 }: RowSearchOptions): RowSearch {
  const { run } = createSemaphore({
    limit: maxRunning,
    maxWaiting,
    waitTimeoutMs: 5000,
    onOverload: () =>
      new SallyportError('OVERLOADED', 'Too many searches at once; try again', {
        headers: { 'Retry-After': '1' },
      }),
  })
  return { contains, run }
}
