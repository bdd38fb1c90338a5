import { integerOption } from '@sallyport/internal/options'
import { pageOf } from '@sallyport/internal/page-of'
import { uuidV7 } from '@sallyport/internal/uuid-v7'
import type { AuditEntry, AuditFilter, AuditLog } from './audit-log.ts'

export interface MemoryAuditLogOptions {
  /** The maximum number of entries. Over it, the oldest entry is deleted. @default 10,000 */
  readonly max?: number
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
}

/**
 * Creates an audit log in the memory of the process, for tests. A restart loses everything.
 */
export function createMemoryAuditLog({ max = 10_000, now = Date.now }: MemoryAuditLogOptions = {}): AuditLog {
  integerOption('max', max, 1)
  const createId = uuidV7(now)
  let entries: AuditEntry[] = []

  const select = (filter: AuditFilter) => entries.filter((entry) => matches(entry, filter))

  return {
    record({ detail = {}, ...action }) {
      entries.push({ id: createId(), ...action, detail, createdAt: now() })
      if (entries.length > max) entries.shift()
      return Promise.resolve()
    },
    list: (query) => Promise.resolve(pageOf(select(query), 'createdAt', query)),
    count: (filter) => Promise.resolve(select(filter).length),
    prune(before) {
      const kept = entries.filter(({ createdAt }) => createdAt >= before)
      const deleted = entries.length - kept.length
      entries = kept
      return Promise.resolve(deleted)
    },
  }
}

function matches(
  entry: AuditEntry,
  { actor, action, target, createdAfter = -Infinity, createdBefore = Infinity }: AuditFilter,
): boolean {
  return (
    (actor === undefined || entry.actor.id === actor || entry.actor.name === actor) &&
    (action === undefined || entry.action === action) &&
    (target === undefined || entry.target === target) &&
    entry.createdAt > createdAfter &&
    entry.createdAt < createdBefore
  )
}
