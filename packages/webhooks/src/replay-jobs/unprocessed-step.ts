import { isSallyportError } from '@sallyport/errors'
import type { UnprocessedReplayer } from '../unprocessed/replayer.ts'
import type { UnprocessedFilter, UnprocessedStore } from '../unprocessed/store.ts'
import type { ReplayJob, ReplayJobProgress } from './job.ts'

/** The ignored and refused deliveries that jobs process again. */
export interface ReplayableUnprocessed {
  readonly store: Pick<UnprocessedStore, 'list'>
  readonly replay: UnprocessedReplayer
}

/** The deliveries of one step. A step that fails runs again, and its deliveries are duplicates then. */
const portion = 20

/** Processes some ignored and refused deliveries again, oldest first. Deliveries of after the creation are not part of the job. */
export async function processSome(
  { store, replay }: ReplayableUnprocessed,
  filter: UnprocessedFilter,
  { createdAt }: Pick<ReplayJob, 'createdAt'>,
  progress: ReplayJobProgress,
): Promise<ReplayJobProgress> {
  const receivedBefore = Math.min(filter.receivedBefore ?? Infinity, createdAt + 1)
  const { afterUnprocessed: after } = progress
  const query = {
    ...filter,
    receivedBefore,
    ...(after && { after }),
    order: 'oldest',
    limit: portion,
  } as const
  const page = await store.list(query)
  const counts = { ...progress }
  for (const { id } of page) {
    counts.processed++
    const { outcome, events = 0 } = await processOne(replay, id)
    counts[outcome]++
    counts.events += events
  }
  const last = page.at(-1)
  return {
    ...counts,
    isLast: page.length < portion,
    ...(last && { afterUnprocessed: { receivedAt: last.receivedAt, id: last.id } }),
  }
}

/** A delivery that stays ignored or refused, or was cut, is unchanged. */
async function processOne(
  replay: UnprocessedReplayer,
  id: string,
): Promise<{
  readonly outcome: 'replayed' | 'unchanged' | 'quarantined' | 'erased'
  readonly events?: number
}> {
  try {
    const result = await replay(id)
    if (result === undefined) return { outcome: 'erased' }
    const { outcome, events = 0 } = result
    if (outcome === 'quarantined') return { outcome }
    return { outcome: outcome === 'accepted' || outcome === 'duplicate' ? 'replayed' : 'unchanged', events }
  } catch (error) {
    if (isSallyportError(error) && error.status < 500) return { outcome: 'unchanged' }
    throw error
  }
}
