import { checkFunctions, timerOption } from '@sallyport/internal/options'
import type { Endpoints } from '../endpoints/contract.ts'
import type {
  DeliveryFilter,
  DeliveryPosition,
  EraseResult,
  EraseSelection,
  OperatorInbox,
} from '../ports/ports.ts'
import type { UnprocessedStore } from '../unprocessed/store.ts'

export interface EraserOptions {
  readonly inbox: Pick<OperatorInbox, 'erase' | 'list'>
  /** The ignored and refused deliveries. @default none */
  readonly unprocessed?: Pick<UnprocessedStore, 'erase' | 'count'> | undefined
  /** The endpoints that `eraseEndpoint` deletes. @default none */
  readonly endpoints?: Pick<Endpoints, 'delete'> | undefined
  /** How long `eraseEndpoint` waits for work that is under way, in milliseconds. @default 1 minute */
  readonly waitMs?: number
  /** Waits for a number of milliseconds. @default a timer */
  readonly sleep?: (ms: number) => Promise<unknown>
}

export interface Erasure extends EraseResult {
  /** The number of erased deliveries that were ignored or refused. */
  readonly unprocessed: number
}

interface EraseOptions {
  /** The end of the previous erasure. */
  readonly after?: DeliveryPosition | undefined
  /** The time after which no further batch starts, in milliseconds. @default no limit */
  readonly forMs?: number | undefined
  /** Counts what an erasure would change, and erases nothing. An attempt that runs is not seen. @default false */
  readonly dryRun?: boolean | undefined
}

/** Erases the content of many deliveries. */
export interface Eraser {
  /**
   * Erases the deliveries that match a filter in batches, oldest first. Their pending events and notifications are cancelled
   * before. Ids stay, so that a redelivery is a duplicate.
   *
   * Ignored and refused deliveries are erased for filters of a value, a provider, an endpoint and times only; they have no
   * events.
   *
   * @returns the counts, and `next` when time ran out. `busy` deliveries stay: erase again later
   */
  erase(filter: DeliveryFilter, options?: EraseOptions): Promise<Erasure>
  /**
   * Deletes an endpoint with its secrets, and erases all that it received, until no work is under way. An endpoint that was
   * deleted before is erased too.
   *
   * @returns the counts. `busy` deliveries stay after the wait: call it again
   */
  eraseEndpoint(id: string): Promise<Erasure>
}

const portion = 100
const pollMs = 1000
/** How long other processes may record deliveries of a deleted endpoint. */
const knownMs = 3000

/**
 * Creates the eraser of an inbox.
 */
export function createEraser({
  inbox,
  unprocessed,
  endpoints,
  waitMs = 60_000,
  sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
}: EraserOptions): Eraser {
  checkFunctions('inbox', inbox, 'erase', 'list')
  timerOption('waitMs', waitMs, 0)

  async function erase(filter: DeliveryFilter, options: EraseOptions = {}): Promise<Erasure> {
    const { forMs = Infinity, dryRun = false } = options
    const counts = { deliveries: 0, cancelled: 0, busy: 0, unprocessed: 0 }
    const startedAt = performance.now()
    let { after } = options
    do {
      const selection = { filter, ...(after && { after }), limit: portion }
      const batch = dryRun ? await count(selection) : await inbox.erase(selection)
      for (const name of ['deliveries', 'cancelled', 'busy'] as const) counts[name] += batch[name]
      after = batch.next
    } while (after !== undefined && performance.now() - startedAt < forMs)
    if (after !== undefined) return { ...counts, next: after }
    return { ...counts, unprocessed: await eraseUnprocessed(filter, dryRun) }
  }

  /** Counts what the erasure of a batch would change. */
  async function count({ filter, after, limit }: EraseSelection): Promise<EraseResult> {
    const batch = await inbox.list({ ...filter, order: 'oldest', ...(after && { after }), limit })
    const counts = { deliveries: 0, cancelled: 0, busy: 0 }
    for (const { bodyState, events } of batch) {
      if (bodyState === 'erased') continue
      if (events.queued > 0) counts.busy++
      else {
        counts.deliveries++
        counts.cancelled += events.pending
      }
    }
    const last = batch.length === limit ? batch.at(-1) : undefined
    return { ...counts, ...(last && { next: { receivedAt: last.receivedAt, sequence: last.sequence } }) }
  }

  async function eraseUnprocessed(
    { value, provider, endpoint, endpoints, receivedAfter, receivedBefore, ...others }: DeliveryFilter,
    dryRun: boolean,
  ) {
    if (unprocessed === undefined || Object.values<unknown>(others).some((one) => one !== undefined)) return 0
    const members = Object.entries({ value, provider, endpoint, endpoints, receivedAfter, receivedBefore })
    const filter = Object.fromEntries(members.filter(([, one]) => one !== undefined))
    if (dryRun) return await unprocessed.count(filter)
    let erased = 0
    for (let count: number = portion; count === portion; erased += count)
      count = await unprocessed.erase(filter, { limit: portion })
    return erased
  }

  return {
    erase,

    async eraseEndpoint(id) {
      const isDeleted = (await endpoints?.delete(id)) === true
      const total = { deliveries: 0, cancelled: 0, busy: 0, unprocessed: 0 }
      for (let waited = 0; ; waited += pollMs) {
        const { deliveries, cancelled, busy, unprocessed: others } = await erase({ endpoint: id })
        total.deliveries += deliveries
        total.cancelled += cancelled
        total.unprocessed += others
        total.busy = busy
        const isEnded = busy === 0 && (!isDeleted || waited >= knownMs)
        if (isEnded || waited >= Math.max(waitMs, isDeleted ? knownMs : 0)) return total
        await sleep(pollMs)
      }
    },
  }
}
