import type { PruneOptions, PruneResult } from '@sallyport/webhooks'
import { createSteadyClock } from '@sallyport/internal/steady-clock'
import type { Kysely } from 'kysely'
import type { InboxTables } from '../internal/tables.ts'
import { findOldBodies, findOldEvents, findOldKeys, findResolved, sumBodies } from './prunable.ts'
import { removeRows, type Removal, type Removed } from './remove.ts'
import type { RunTransaction } from './transaction.ts'

/** The operations that an engine provides for pruning. */
export interface PruneStore {
  /** Returns the current time of the clock that writes the times. */
  now(): Promise<number>
  readonly transaction: RunTransaction
}

/** The position of a scan through bodies or keys: retained rows are read once per scan, not once per batch. */
interface Passage {
  bodies: { readonly after: number; readonly excess: number } | undefined
  keys: { readonly createdAt: number; readonly scope: string; readonly key: string } | undefined
}

/** Creates a function that finds deletable rows by reading, a batch at a time, and deletes them. */
export function createPruner(
  db: Kysely<InboxTables>,
  store: PruneStore,
): (options: PruneOptions) => Promise<PruneResult> {
  const steadyForMs = createSteadyClock()
  const remove = (removal: Removal): Promise<Removed> =>
    store.transaction((transaction) => removeRows(transaction, removal))
  const passage: Passage = { bodies: undefined, keys: undefined }

  async function oldBodies(now: number, limit: number, { bodiesForMs, bodyBytes }: PruneOptions) {
    if (bodiesForMs === undefined && bodyBytes === undefined) return { bodies: [], more: false }
    const before = bodiesForMs === undefined ? -Infinity : now - bodiesForMs
    const begun = passage.bodies
    const allowed = bodyBytes ?? Infinity
    let excess = begun?.excess ?? (allowed === Infinity ? 0 : (await sumBodies(db)) - allowed)
    const found = await findOldBodies(db, begun?.after ?? 0, limit)
    const bodies: number[] = []
    for (const { delivery, bytes, received_at, spared } of found) {
      if (spared !== 0 || (excess <= 0 && received_at > before)) continue
      bodies.push(delivery)
      excess -= bytes
    }
    const last = found.at(-1)
    // Bodies are stored in the order of receipt: the bodies after a recent one are left for the next scan.
    const more = found.length === limit && last !== undefined && (excess > 0 || last.received_at <= before)
    passage.bodies = more ? { after: last.delivery, excess } : undefined
    return { bodies, more }
  }

  async function oldKeys(now: number, limit: number, { keysForMs }: PruneOptions) {
    if (keysForMs === undefined) return { keys: [], more: false }
    const found = await findOldKeys(db, now - keysForMs, passage.keys, limit)
    const last = found.at(-1)
    const more = found.length === limit && last !== undefined
    passage.keys = more ? { createdAt: last.created_at, scope: last.scope, key: last.key } : undefined
    return {
      keys: found.filter(({ spared }) => spared === 0).map(({ scope, key }) => ({ scope, key })),
      more,
    }
  }

  async function oldRecords(now: number, limit: number, { publishedForMs }: PruneOptions) {
    if (publishedForMs === undefined) return { removal: {}, more: false }
    const before = now - publishedForMs
    const events = await findOldEvents(db, before, limit)
    const resolved = await findResolved(db, before, limit)
    const deliveries = new Set([...events.map(({ delivery }) => delivery), ...resolved])
    return {
      removal: { events: events.map(({ sequence }) => sequence), deliveries: [...deliveries] },
      more: events.length === limit || resolved.length === limit,
    }
  }

  return async (asked) => {
    const { limit = 1000, bodyBytes, steadyForMs: required = 0 } = asked
    const now = await store.now()
    const options = steadyForMs(now) >= required ? asked : bodyBytes === undefined ? {} : { bodyBytes }
    const records = await oldRecords(now, limit, options)
    // The scan of the keys begins after the scan of the bodies. Two concurrent scans might never end at the same call.
    const isScanningKeys = passage.keys !== undefined && options.keysForMs !== undefined
    const bodies = isScanningKeys ? { bodies: [], more: false } : await oldBodies(now, limit, options)
    const removed = await remove({ ...nothing, ...records.removal, bodies: bodies.bodies })
    // A scan through the keys would skip keys whose records are deleted later.
    if (records.more || bodies.more) return { ...removed, more: true }
    const keys = await oldKeys(now, limit, options)
    const removedKeys = await remove({ ...nothing, keys: keys.keys })
    return { ...removed, keys: removedKeys.keys, more: keys.more }
  }
}

const nothing: Removal = { events: [], deliveries: [], bodies: [], keys: [] }
