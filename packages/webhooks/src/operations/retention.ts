import { checkFunctions, integerOption, timerOption } from '@sallyport/internal/options'
import { callHook } from '@sallyport/internal/promises'
import type { RetentionInbox, PruneOptions, PruneResult } from '../ports/ports.ts'

export interface RetentionOptions {
  readonly inbox: RetentionInbox
  /** How long records are kept after their publication, in milliseconds, or `Infinity`. @default 14 days */
  readonly publishedForMs?: number
  /** How long raw bodies are kept after their receipt, in milliseconds, or `Infinity`. @default 7 days */
  readonly bodiesForMs?: number
  /** The maximum size of all raw bodies in bytes, or `Infinity`; the oldest are deleted first. @default 10 GiB */
  readonly bodyBytes?: number
  /** How long keys are kept, in milliseconds, or `Infinity`: the deduplication window. @default 90 days */
  readonly keysForMs?: number
  /**
   * Nothing is deleted by its age before the clock of the inbox has run steadily for this long, in milliseconds: after the
   * start, and after a jump of the clock. @default 600,000
   */
  readonly steadyForMs?: number
  /** The pause between two runs in milliseconds, at most 24 days. @default 60,000 */
  readonly everyMs?: number
  /** The pause between two batches of a run in milliseconds, in which other writers proceed. @default 20 */
  readonly pauseMs?: number
  /** The maximum number of rows per kind in a batch. @default 1,000 */
  readonly limit?: number
  /** Called for each batch that deleted rows. */
  readonly onPruned?: (result: PruneResult) => unknown
  /** Called when the inbox cannot be pruned; the next run retries. */
  readonly onError?: (error: unknown) => unknown
}

/** Deletes expired rows of an inbox. */
export interface Retention {
  /** Schedules the first run after one interval, so that it does not delay the startup. */
  start(): void
  /** Ends the schedule and waits for the running batch. */
  stop(): Promise<void>
}

const day = 86_400_000

/**
 * Prunes an inbox periodically, in batches: published records, raw bodies by age and by total size, and keys. Pending,
 * queued, dead and quarantined rows stay at any age.
 *
 * Several processes may prune the same store.
 *
 * @throws TypeError without an inbox, for a number that is out of range, and when keys would expire before their records
 *
 * @example
 * ```ts
 * import { createRetention, createMemoryInbox } from '@sallyport/webhooks'
 *
 * const retention = createRetention({ inbox: createMemoryInbox(), bodiesForMs: 24 * 60 * 60 * 1000 })
 * retention.start()
 * await retention.stop()
 * ```
 */
export function createRetention(options: RetentionOptions): Retention {
  const {
    inbox,
    everyMs = 60_000,
    pauseMs = 20,
    limit = 1000,
    steadyForMs = 600_000,
    onPruned,
    onError,
  } = options
  checkFunctions('inbox', inbox, 'prune')
  timerOption('everyMs', everyMs)
  timerOption('pauseMs', pauseMs, 0)
  const bounds: PruneOptions = {
    ...checkBounds(options),
    steadyForMs: integerOption('steadyForMs', steadyForMs, 0),
    limit: integerOption('limit', limit, 1),
  }
  let timer: ReturnType<typeof setTimeout> | undefined
  let pruning = Promise.resolve()
  let stopped = true

  function next(delayMs: number): void {
    if (stopped) return
    // A run that outlived a stop and a start must not start a second schedule.
    clearTimeout(timer)
    timer = setTimeout(() => {
      pruning = prune()
    }, delayMs)
    // The timer must not keep the process running.
    if (typeof timer === 'object') timer.unref()
  }

  async function prune(): Promise<void> {
    let more = false
    try {
      const result = await inbox.prune(bounds)
      more = result.more
      if (result.events + result.deliveries + result.bodies + result.keys > 0) callHook(onPruned, result)
    } catch (error) {
      callHook(onError, error)
    }
    next(more ? pauseMs : everyMs)
  }

  return {
    start() {
      if (!stopped) return
      stopped = false
      next(everyMs)
    },
    stop() {
      stopped = true
      clearTimeout(timer)
      return pruning
    },
  }
}

/** Checks the limits and omits the infinite ones. */
function checkBounds(options: RetentionOptions): PruneOptions {
  const { publishedForMs = 14 * day, bodiesForMs = 7 * day, keysForMs = 90 * day } = options
  const { bodyBytes = 10 * 1024 ** 3 } = options
  const bounds = Object.entries({ publishedForMs, bodiesForMs, bodyBytes, keysForMs })
  for (const [name, bound] of bounds) {
    if (bound !== Infinity && !(Number.isSafeInteger(bound) && bound >= 0))
      throw new TypeError(`${name} must be an integer of at least 0, or Infinity`)
  }
  if (keysForMs < publishedForMs) {
    throw new TypeError('keysForMs must be at least publishedForMs: keys have to outlive their records')
  }
  return Object.fromEntries(bounds.filter(([, bound]) => bound !== Infinity))
}
