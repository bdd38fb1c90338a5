import type { Item, Notification } from './inbox-item.ts'

/** An item whose event is to be published at once; nobody owes it yet, and no delivery has it. */
export const makeItem = ({
  key,
  provider,
  createdAt,
  order,
  isCopy,
}: Pick<Item, 'key' | 'provider' | 'createdAt' | 'order' | 'isCopy'>): Item => ({
  rank: createdAt,
  order,
  position: -1,
  key,
  formerKeys: [],
  provider,
  createdAt,
  isCopy,
  stage: 'publish',
  queued: false,
  duplicate: false,
  owed: undefined,
  delivery: undefined,
  attempts: 0,
  since: createdAt,
  dueAt: createdAt,
  lease: undefined,
  leaseEndsAt: 0,
  notification: undefined,
  published: undefined,
  failures: undefined,
})

/** What waits to be told of an item's event. */
export const makeNotification = (item: Item): Notification => ({
  rank: 0,
  order: item.order,
  position: -1,
  provider: item.provider,
  item,
  status: 'waiting',
  attempts: 0,
  since: 0,
  dueAt: 0,
  lease: undefined,
  leaseEndsAt: 0,
  failures: undefined,
})
