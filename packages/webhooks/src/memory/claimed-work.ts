import type { ClaimedWork } from '../ports/ports.ts'
import type { Task } from './inbox-store.ts'

/** The stored data of an event is about as large as its share of the body. */
export function estimateBytes({ item: { delivery } }: Task): number {
  return delivery === undefined ? 0 : Math.ceil(delivery.bodyBytes / Math.max(1, delivery.items.size))
}

/** Describes a task under a lease; `isMeasured` adds the size of its data. An event without a record has no work. */
export function toClaimedWork(task: Task, lease: string, isMeasured: boolean): ClaimedWork[] {
  const { attempts, since, item } = task
  if (item.record === undefined) return []
  const { event, route } = item.record
  const work = { event, route, attempts, since, lease }
  return [isMeasured ? { ...work, bytes: estimateBytes(task) } : work]
}
