import { createSemaphore } from '@sallyport/internal/semaphore'
import type { PostgresPool } from 'kysely'
import { PostgresConnectionError, unavailable } from './errors.ts'

export interface ConnectionLimit {
  readonly connections: number
  readonly maxWaiting: number
  readonly waitTimeoutMs: number
}

/** Uses at most some connections of a pool, so that the rest is free for other callers. */
export function limitConnections(
  pool: PostgresPool,
  { connections, maxWaiting, waitTimeoutMs }: ConnectionLimit,
): PostgresPool {
  const onOverload = () =>
    unavailable(new PostgresConnectionError('POOL_EXHAUSTED', 'All connections of handlers are in use'))
  const semaphore = createSemaphore({ limit: connections, maxWaiting, waitTimeoutMs, onOverload })

  /** Resolves to the function that gives the place back. */
  const acquire = () =>
    new Promise<() => void>((resolve, reject) => {
      semaphore
        .run(() => {
          const { promise, resolve: release } = Promise.withResolvers<undefined>()
          resolve(() => {
            release(undefined)
          })
          return promise
        })
        .catch(reject)
    })

  return {
    options: pool.options,
    async connect() {
      const giveBack = await acquire()
      try {
        const client = await pool.connect()
        return {
          query: client.query.bind(client),
          release(destroy) {
            client.release(destroy)
            giveBack()
          },
        }
      } catch (error) {
        giveBack()
        throw error
      }
    },
    end: () => pool.end(),
  }
}
