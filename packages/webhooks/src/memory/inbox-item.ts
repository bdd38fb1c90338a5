import type { BodyState, EventRecord, Failure, NotificationState, Work } from '../ports/ports.ts'
import type { KeptBody } from './body-blocks.ts'
import type { Ranked } from './due-heap.ts'
import type { Published } from './published-log.ts'

/** What may be due, and held. */
interface Due extends Ranked {
  readonly provider: string
  /** Failed attempts since it was due, or was made due again. */
  attempts: number
  since: number
  /** When it is due, lease or no lease. */
  dueAt: number
  lease: string | undefined
  leaseEndsAt: number
  /** None before the first: almost nothing that is kept has failed. */
  failures: Failure[] | undefined
}

/** One idempotency key, and whether its event is still to be published. */
export interface Item extends Due {
  /** The event's id, which a replay may change. */
  key: string
  /** What it was called before, still known. */
  readonly formerKeys: string[]
  readonly createdAt: number
  /** What has become of the event; `settled` also for a quarantined delivery. */
  stage: 'publish' | 'dead' | 'settled'
  /** The shared queue has it. */
  queued: boolean
  /** Whether the bus knew the id at the last publication. */
  duplicate: boolean
  /** Kept as long as the event is; never there for a quarantined delivery. */
  owed: EventRecord | undefined
  /** The delivery that keeps it. */
  delivery: Delivery | undefined
  readonly isCopy: boolean
  notification: Notification | undefined
  published: Published | undefined
}

/** What operators are told of an event. It is due by itself: the event may be published again meanwhile. */
export interface Notification extends Due {
  readonly item: Item
  status: NotificationState['status']
}

/** Work by itself: an event that is to be published, or what is to be told of it. */
export type Duty = Item | Notification

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
  quarantine: { readonly key: string; readonly reason?: string; readonly detail?: string } | undefined
  readonly items: Set<Item>
}

const keptFailures = 20

export function keepFailure(duty: Duty, at: number, error: string): void {
  const failures = (duty.failures ??= [])
  failures.push({ at, error })
  if (failures.length > keptFailures) failures.shift()
}

export function isOwed(item: Item): item is Item & { owed: EventRecord } {
  return item.owed !== undefined
}

export const itemOf = (duty: Duty): Item => ('item' in duty ? duty.item : duty)

/** What is to be done about an item, or being done. */
export function dutyOf(item: Item, work: Work): Duty | undefined {
  if (work === 'publish') return item.stage === 'publish' ? item : undefined
  return item.notification?.status === 'pending' ? item.notification : undefined
}

/** Whether its event is published, and whatever that owed has ended. */
export const isSettled = (item: Item): boolean =>
  item.stage === 'settled' && dutyOf(item, 'notify') === undefined

/** Whether what is kept with a delivery may still be needed. */
export const isUnfinished = ({ quarantine, items }: Delivery): boolean =>
  quarantine?.reason !== undefined || [...items].some(({ stage }) => stage === 'publish' || stage === 'dead')
