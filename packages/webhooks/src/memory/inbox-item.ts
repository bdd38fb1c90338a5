import type { BodyState, EventRecord, Failure, NotificationState, Work } from '../ports.ts'
import type { KeptBody } from './body-blocks.ts'
import type { Ranked } from './due-heap.ts'
import type { Published } from './published-log.ts'

/** One idempotency key, and what is still to be done about it. */
export interface Item extends Ranked {
  /** The event's id, which a replay may change. */
  key: string
  /** What it was called before, still known. */
  readonly formerKeys: string[]
  readonly provider: string
  readonly createdAt: number
  /** What is to be done next; `settled` also for a quarantined delivery. */
  stage: Work | 'dead' | 'settled'
  /** The shared queue has it. */
  queued: boolean
  /** Kept as long as the event is; never there for a quarantined delivery. */
  owed: EventRecord | undefined
  /** The delivery that keeps it. */
  delivery: Delivery | undefined
  readonly isCopy: boolean
  /** Failed attempts since each work was due, or was made due again. */
  readonly attempts: Record<Work, number>
  since: number
  /** When it is due, lease or no lease. */
  dueAt: number
  lease: string | undefined
  leaseEndsAt: number
  notification: NotificationState['status'] | undefined
  published: Published | undefined
  /** None before the first: almost nothing that is kept has failed. */
  readonly failures: Record<Work, Failure[] | undefined>
}

/** A delivery, as long as any of its events is kept, or its quarantine. */
export interface Delivery {
  readonly sequence: number
  readonly id: string
  readonly provider: string
  readonly receivedAt: number
  readonly bodyBytes: number
  headers: Readonly<Record<string, string>>
  body: KeptBody | undefined
  bodyState: BodyState
  /** The key and reason of its quarantine; without a reason once that is over. */
  quarantine: { readonly key: string; readonly reason?: string } | undefined
  readonly items: Set<Item>
}

const keptFailures = 20

export function keepFailure(item: Item, work: Work, at: number, error: string): void {
  const failures = (item.failures[work] ??= [])
  failures.push({ at, error })
  if (failures.length > keptFailures) failures.shift()
}

export function isOwed(item: Item): item is Item & { owed: EventRecord } {
  return item.owed !== undefined
}

/** Whether what is kept with a delivery may still be needed. */
export const isUnfinished = ({ quarantine, items }: Delivery): boolean =>
  quarantine?.reason !== undefined || [...items].some(({ stage }) => stage === 'publish' || stage === 'dead')
