import type { Queue } from '@sallyport/webhooks'
import { createQueue, type QueueOptions } from '../queue/queue.ts'
import type { Storage } from './inbox.ts'

export interface SqliteQueueOptions extends QueueOptions {
  /** Milliseconds since the epoch; processes that share a file use the clock of their machine. @default Date.now */
  readonly now?: () => number
}

export function sqliteQueue(
  { commits, schema }: Pick<Storage, 'commits' | 'schema'>,
  { now = Date.now, ...options }: SqliteQueueOptions = {},
): Queue {
  return createQueue(
    {
      enqueue: (events, bytes) => commits.run('enqueue', { at: now(), events }, { bytes }),

      receive(limits, { token, leaseMs }) {
        const at = now()
        return commits.run('receive', { at, ...limits, lease: { token, endsAt: at + leaseMs } })
      },

      end: (ending) => commits.run('endQueued', { at: now(), ending }, { isUnlimited: true }),
    },
    schema,
    options,
  )
}
