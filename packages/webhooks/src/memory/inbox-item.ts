import type { BodyState, EventRecord, Failure, NotificationState } from '../ports.ts'
import type { KeptBody } from './body-blocks.ts'
import type { Ranked } from './due-heap.ts'
import type { Published } from './published-log.ts'

/** What is done in attempts, each under a lease. */
interface Attempted extends Ranked {
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

/** What may be due: an event, or what is to be told of one. Of one event, both may be at once. */
export type Item = KeyItem | Notification

/** One idempotency key, and what is still to be done about it. */
export interface KeyItem extends Attempted {
  readonly work: 'publish'
  /** The event's id, which a replay may change. */
  key: string
  /** What it was called before, still known. */
  readonly formerKeys: string[]
  readonly createdAt: number
  /** `settled` is also a quarantined delivery. */
  stage: 'publish' | 'dead' | 'settled'
  /** The shared queue has it. */
  queued: boolean
  /** Kept as long as the event is; never there for a quarantined delivery. */
  owed: EventRecord | undefined
  /** The delivery that keeps it. */
  delivery: Delivery | undefined
  readonly isCopy: boolean
  notification: Notification | undefined
  published: Published | undefined
}

/** What is to be told of an event. */
export interface Notification extends Attempted {
  readonly work: 'notify'
  readonly of: KeyItem
  status: NotificationState['status']
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
  readonly items: Set<KeyItem>
}

const untried = { position: -1, attempts: 0, lease: undefined, leaseEndsAt: 0, failures: undefined }

export function createItem(
  key: string,
  provider: string,
  at: number,
  order: number,
  isCopy: boolean,
): KeyItem {
  return {
    ...untried,
    ...{ work: 'publish', rank: at, order, since: at, dueAt: at, provider },
    ...{ key, formerKeys: [], createdAt: at, isCopy, stage: 'publish', queued: false },
    ...{ owed: undefined, delivery: undefined, notification: undefined, published: undefined },
  }
}

export function createNotification(of: KeyItem, at: number): Notification {
  const { order, provider } = of
  return {
    ...untried,
    ...{ work: 'notify', rank: at, order, since: at, dueAt: at, provider },
    ...{ of, status: 'waiting' },
  }
}

export const eventOf = (item: Item): KeyItem => (item.work === 'publish' ? item : item.of)

/** Whether it has its place in line, held or not. */
export const isDue = (item: Item): boolean =>
  item.work === 'publish' ? item.stage === 'publish' : item.status === 'pending'

const keptFailures = 20

export function keepFailure(item: Item, at: number, error: string): void {
  const failures = (item.failures ??= [])
  failures.push({ at, error })
  if (failures.length > keptFailures) failures.shift()
}

export function isOwed(item: KeyItem): item is KeyItem & { owed: EventRecord } {
  return item.owed !== undefined
}

/** Whether it is to be published, or to be told of: both need its data. */
export const isUnderWay = ({ stage, notification }: KeyItem): boolean =>
  stage === 'publish' || notification?.status === 'pending'

/** Whether it is a dead letter whose data was erased: nothing is made of it until it comes again. */
export const isDiscarded = ({ stage, delivery }: KeyItem): boolean =>
  stage === 'dead' && delivery?.bodyState === 'erased'

/** Whether what is kept with a delivery may still be needed. */
export const isUnfinished = ({ quarantine, items }: Delivery): boolean =>
  quarantine?.reason !== undefined || [...items].some(({ stage }) => stage === 'publish' || stage === 'dead')
