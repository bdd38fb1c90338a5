import { withDeadline } from '@sallyport/internal/deadline'
import { readRow } from '@sallyport/internal/destination-row'
import { targetOf } from '../destinations/attempt.ts'
import { createOutages } from '../dispatch/outages.ts'
import type { LeaseAge } from '../ports/lease-age.ts'
import type { ClaimedWork, DispatcherInbox } from '../ports/ports.ts'
import { isHandled, type RunResult } from './attempt-event.ts'

interface HandlerOutagesOptions {
  readonly inbox: Pick<DispatcherInbox, 'makeDue'>
  readonly leaseMs: number
  readonly startClock: () => LeaseAge
  /** Called when a handler succeeds after an outage, and events that wait for it become due. */
  readonly onRecovery: () => void
  readonly onError: ((error: unknown) => unknown) | undefined
}

/** Detects from the results of a handler when all of its events fail, such as without a database, and when one succeeds. */
export interface HandlerOutages {
  readonly count: (work: ClaimedWork, result: RunResult) => void
  /** Makes events due whose handlers recover, and probes for those that fail. */
  readonly makeDue: (limit: number) => Promise<void>
}

/** Creates the detectors of the handlers. A retry that names its handler is made due when the handler recovers. */
export function createHandlerOutages(options: HandlerOutagesOptions): HandlerOutages {
  const { inbox, leaseMs } = options
  const outages = createOutages({
    ...options,
    async makeDue(limit, target) {
      const asked = { limit, ...(target !== undefined && { target }) }
      return await withDeadline(leaseMs, inbox.makeDue?.(asked) ?? Promise.resolve(0))
    },
  })
  return {
    count({ event: { id, name: event }, attempts }, result) {
      const { destination } = readRow(id)
      const name = destination === undefined ? event : targetOf(destination)
      const ok = isHandled(result)
      const isWaiting =
        typeof result === 'object' && result.status === 'retry' && result.targets !== undefined
      if (!ok && !isWaiting) return
      outages.count([{ id, isRetry: attempts > 0, status: ok ? 'done' : 'retry', targets: [{ name, ok }] }])
    },
    makeDue: (limit) => outages.makeDue(limit),
  }
}
