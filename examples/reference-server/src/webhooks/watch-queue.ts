import type { OperatorInbox } from '@sallyport/webhooks'
import type { Logger } from '../logging/log.ts'

const pollMs = 10_000
const stalledMs = 30_000

const stalled =
  'No drainer has received the oldest queued event for 30 seconds. Check that a process with the role drainer runs, and that QUEUE_URL names the queue that the events were sent to. If the queue has lost its events, send them again with POST /api/v1/replays {"status":"queued"}'

/** Detects that the shared queue has lost its events, or that no drainer reads it. */
export interface QueueWatch {
  readonly notices: () => readonly string[]
  /** Checks the inbox once; does nothing when the inbox is unavailable. */
  readonly check: () => Promise<void>
  readonly close: () => void
}

/**
 * Checks the oldest queued event every 10 seconds. An event without any attempt that stays the oldest for 30 seconds is
 * logged once, and is a notice until the queue makes progress.
 * @param now a monotonic clock in milliseconds
 */
export function watchQueue(
  inbox: Pick<OperatorInbox, 'stats'>,
  log: Pick<Logger, 'warn' | 'info'>,
  now: () => number = () => performance.now(),
): QueueWatch {
  let oldest: { readonly receivedAt: number; readonly seenAt: number } | undefined
  let isStalled = false

  async function check(): Promise<void> {
    const stats = await inbox.stats({ countUpTo: 0 }).catch(() => undefined)
    if (stats === undefined) return
    const { oldestQueuedAt } = stats
    if (oldestQueuedAt === undefined) oldest = undefined
    else if (oldestQueuedAt !== oldest?.receivedAt) oldest = { receivedAt: oldestQueuedAt, seenAt: now() }
    const wasStalled = isStalled
    isStalled = oldest !== undefined && now() - oldest.seenAt >= stalledMs
    if (isStalled && !wasStalled) log.warn({ receivedAt: oldest?.receivedAt }, stalled)
    if (wasStalled && !isStalled) log.info('The shared queue makes progress again')
  }

  const timer = setInterval(() => void check(), pollMs)
  timer.unref()
  return {
    notices: () => (isStalled ? [stalled] : []),
    check,
    close: () => {
      clearInterval(timer)
    },
  }
}
