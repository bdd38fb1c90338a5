import type { Lane } from '@sallyport/webhooks'
import type Database from 'better-sqlite3'
import type { Lease } from './record.ts'

/** Prepares a function that makes a lane due. A lane that is new gets the lease. */
export function prepareOpenLane(
  connection: Database.Database,
): (lane: Lane, at: number, lease: Lease | undefined) => 'leased' | 'new' {
  const findLease = connection.prepare<[name: string], string | null>(
    'select lease from lanes where name = ?',
  )
  findLease.pluck()
  const insert = connection.prepare(
    `insert into lanes (name, ordered, due_at, since, attempts, lease, lease_ends_at) values (?, ?, ?, ?, 0, ?, ?)`,
  )
  const change = connection.prepare(
    'update lanes set ordered = ?, due_at = min(due_at, ?), version = version + 1 where name = ?',
  )
  return ({ name, isOrdered }, at, lease) => {
    const known = findLease.get(name)
    if (known === undefined) {
      insert.run(name, Number(isOrdered), at, at, lease?.token ?? null, lease?.endsAt ?? null)
      return lease === undefined ? 'new' : 'leased'
    }
    change.run(Number(isOrdered), at, name)
    return lease?.token === known ? 'leased' : 'new'
  }
}
