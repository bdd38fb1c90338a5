import { SallyportError } from '@sallyport/errors'

export interface PlacesOptions {
  /** How many have one at the same time. */
  readonly atOnce: number
  /** How many may wait for one. */
  readonly maxWaiting: number
  /** How long they wait, in milliseconds. @default 5,000 */
  readonly patienceMs?: number | undefined
  /** What whoever gets none is told. */
  readonly message: string
}

/**
 * Does something in one of a few places, when those who asked before have left one.
 *
 * @throws SallyportError from what is returned: 503 `OVERLOADED` with `Retry-After` when too many wait already, or for too
 * long; nothing is done then
 */
export type Places = <T>(act: () => Promise<T>) => Promise<T>

export function createPlaces({ atOnce, maxWaiting, patienceMs = 5000, message }: PlacesOptions): Places {
  const waiting = new Set<() => void>()
  let taken = 0

  const overloaded = () => new SallyportError('OVERLOADED', message, { headers: { 'Retry-After': '1' } })

  function take(): Promise<void> {
    if (taken < atOnce) {
      taken += 1
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
  function leave(): void {
    const [proceed] = waiting
    if (proceed === undefined) {
      taken -= 1
      return
    }
    waiting.delete(proceed)
    proceed()
  }

  return async (act) => {
    await take()
    try {
      return await act()
    } finally {
      leave()
    }
  }
}
