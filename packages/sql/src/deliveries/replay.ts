import type { DeliveryPosition, ReplayOptions, ReplayResult, ReplaySelection } from '@sallyport/webhooks'
import type { Kysely } from 'kysely'
import { checkIntegers } from '@sallyport/internal/options'
import type { InboxTables } from '../internal/tables.ts'
import { escapeText, unescapeText } from '../internal/text.ts'
import { findPlaces } from './list.ts'
import { checkFilter } from './matching.ts'
import { replayEvents, type ReplayedRow, type ReplayRequest } from './replay-events.ts'
import type { RunTransaction } from './transaction.ts'

// A replay locks all of its events in one transaction.
const maxDeliveries = 1000

const again = ['published', 'queued', 'dead'] as const

type Outcome = ReplayResult['deliveries'][number]

/** Creates a function that replays deliveries by id, or a page of a list. */
export function createReplayer(
  db: Kysely<InboxTables>,
  transaction: RunTransaction,
  newToken: () => string,
): (selection: ReplaySelection, options?: ReplayOptions) => Promise<ReplayResult> {
  async function replayAll(
    { deliveries, statuses, next }: Batch,
    { asNew = false, reprocess = false, destination, save }: ReplayOptions,
  ): Promise<ReplayResult> {
    const sequences = deliveries.filter(isReplayable).map(({ sequence }) => sequence)
    const token = asNew ? newToken() : undefined
    const toResult = (rows: readonly ReplayedRow[]): ReplayResult => {
      const byDelivery = Map.groupBy(rows, ({ delivery }) => delivery)
      const outcomes = deliveries.map((one) => describeOutcome(one, byDelivery.get(one.sequence) ?? []))
      return { deliveries: outcomes, ...(next && { next }) }
    }
    if (sequences.length === 0 && save === undefined) return toResult([])
    return await transaction(async (one) => {
      const request = { deliveries: sequences, statuses, token, reprocess, destination }
      const result = toResult(sequences.length === 0 ? [] : await replayEvents(one, request))
      await save?.(result, one.db)
      return result
    })
  }

  return async (selection, options = {}) => {
    if ('ids' in selection) {
      checkIntegers({ 'ids.length': selection.ids.length }, 0, maxDeliveries)
      return await replayAll({ deliveries: await byIds(db, selection.ids), statuses: again }, options)
    }
    const { filter, after, limit } = selection
    checkIntegers({ limit }, 1, maxDeliveries)
    checkFilter({ ...filter, ...(after && { after }) })
    const places = await findPlaces(db, { ...filter, order: 'oldest', ...(after && { after }), limit })
    const { status } = filter
    const statuses = again.filter((one) => status === undefined || one === status)
    const last = places.length === limit ? places.at(-1) : undefined
    const deliveries = await byPlaces(db, places)
    const { destination = filter.destination } = options
    return await replayAll(
      { deliveries, statuses, ...(last && { next: last }) },
      { ...options, ...(destination !== undefined && { destination }) },
    )
  }
}

interface Batch {
  readonly deliveries: readonly Delivery[]
  readonly statuses: ReplayRequest['statuses']
  /** The start of the next batch. */
  readonly next?: DeliveryPosition
}

interface Delivery {
  readonly sequence: number
  readonly id: string
  readonly eventless: 'quarantined' | 'resolved' | null
  readonly erased_at: number | null
}

const isReplayable = ({ eventless, erased_at }: Delivery) => eventless === null && erased_at === null

function describeOutcome({ id, eventless, erased_at }: Delivery, replayed: readonly ReplayedRow[]): Outcome {
  const events = replayed.map((row) => unescapeText(row.id))
  const outcome =
    erased_at !== null
      ? 'erased'
      : eventless === 'quarantined'
        ? 'quarantined'
        : events.length > 0
          ? 'replayed'
          : 'unchanged'
  const republished = replayed.filter((row) => row.republished).length
  const handled = replayed.filter((row) => row.handled).length
  return {
    ...{ id: unescapeText(id), outcome, events },
    ...(republished > 0 && { republished }),
    ...(handled > 0 && { handled }),
  }
}

const described = ['sequence', 'id', 'eventless', 'erased_at'] as const

async function byIds(db: Kysely<InboxTables>, ids: readonly string[]): Promise<readonly Delivery[]> {
  const stored = [...new Set(ids)].map(escapeText)
  if (stored.length === 0) return []
  const rows = await db.selectFrom('deliveries').select(described).where('id', 'in', stored).execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return stored.flatMap((id) => byId.get(id) ?? [])
}

async function byPlaces(
  db: Kysely<InboxTables>,
  places: readonly DeliveryPosition[],
): Promise<readonly Delivery[]> {
  if (places.length === 0) return []
  const sequences = places.map(({ sequence }) => sequence)
  const rows = await db
    .selectFrom('deliveries')
    .select(described)
    .where('sequence', 'in', sequences)
    .execute()
  const bySequence = new Map(rows.map((row) => [row.sequence, row]))
  return sequences.flatMap((sequence) => bySequence.get(sequence) ?? [])
}
