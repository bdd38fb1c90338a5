import type { CursorCodec } from '@sallyport/rest'
import type { Replayer } from '@sallyport/webhooks'
import { toFilter } from './criteria.ts'
import { decodePosition, encodePosition } from './position.ts'
import type { BulkReplayBody, BulkReplayResource } from './schemas.ts'

/** The limits of one request; `next` continues after them. */
interface ReplayBudget {
  /** The time after which no further batch starts, in milliseconds. */
  readonly ms: number
  readonly deliveries: number
  /** Deliveries in one transaction. */
  readonly portion: number
}

const defaultReplayBudget: ReplayBudget = { ms: 5000, deliveries: 10_000, portion: 200 }

/**
 * Replays the matching deliveries in batches, oldest first, until all are replayed, the budget is used up, or a batch after
 * the first fails.
 *
 * @throws SallyportError 400 `VALIDATION_ERROR` for a cursor of another filter
 */
export async function replayMatching(
  { as_new, reprocess, cursor, ...body }: Omit<BulkReplayBody, 'dry_run'>,
  {
    replayer,
    cursors,
    budget = defaultReplayBudget,
    now = () => performance.now(),
  }: {
    readonly replayer: Pick<Replayer, 'replay'>
    readonly cursors: CursorCodec
    readonly budget?: ReplayBudget
    /** In milliseconds. */
    readonly now?: () => number
  },
): Promise<BulkReplayResource> {
  const filter = toFilter(body)
  const binding = JSON.stringify(['replays', as_new, reprocess, filter])
  let after = cursor === '' ? undefined : decodePosition(cursors, cursor, binding)
  const counts = {
    ...{ deliveries: 0, replayed: 0, unchanged: 0, quarantined: 0, erased: 0 },
    ...{ events: 0, republished: 0, handled: 0 },
  }
  const begun = now()
  do {
    const limit = Math.min(budget.portion, budget.deliveries - counts.deliveries)
    const selection = { filter, ...(after && { after }), limit }
    const portion = await replayer.replay(selection, { asNew: as_new, reprocess }).catch((error: unknown) => {
      if (counts.deliveries === 0) throw error
      return undefined
    })
    // The response reports the replayed batches, so that the client does not replay them twice. The next request gets the
    // error if it persists.
    if (portion === undefined) break
    for (const { outcome, events, republished = 0, handled = 0 } of portion.deliveries) {
      counts.deliveries += 1
      counts[outcome] += 1
      counts.events += events.length
      counts.republished += republished
      counts.handled += handled
    }
    after = portion.next
  } while (after !== undefined && counts.deliveries < budget.deliveries && now() - begun < budget.ms)
  const answer = { ...counts, note: describeEffect(counts, reprocess) }
  if (after === undefined) return { ...answer, next: null }
  return { ...answer, next: encodePosition(cursors, after, binding) }
}

/** Explains why a replay under the same ids may change nothing for consumers; null when it reaches them. */
export function describeEffect(
  { republished, handled }: { readonly republished: number; readonly handled: number },
  reprocess: boolean,
): string | null {
  if (reprocess) return null
  if (handled > 0)
    return `Consumers skip ${handled} of these events, which they have recorded as handled. Send {"reprocess": true} to handle them again under their ids.`
  if (republished === 0) return null
  return 'Events that were published before keep their ids, and a bus that still knows an id stores nothing. Send {"as_new": true} when consumers need them again.'
}
