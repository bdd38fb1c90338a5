import type Database from 'better-sqlite3'
import type { MakeDueCommand } from './commands.ts'

interface WaitingRow {
  readonly sequence: number
  readonly received_at: number
}

/** Makes events due that wait for a retry, oldest first. Reads neither finished nor queued events. */
export function prepareMakeDue(connection: Database.Database): (command: MakeDueCommand) => number {
  const nextProvider = connection
    .prepare<[after: string], string>(
      `select provider from events indexed by events_by_status where provider > ? order by provider limit 1`,
    )
    .pluck()
  const find = connection.prepare<
    { provider: string; at: number; route: string | null; limit: number },
    WaitingRow
  >(
    `select sequence, received_at from events indexed by events_by_status
     where provider = @provider and status = 'pending' and attempts > 0 and lease is null and due_at > @at
       and (@route is null or route = @route)
     order by received_at, delivery limit @limit`,
  )
  const make = connection.prepare<[at: number, sequence: number]>(
    'update events set due_at = min(since, ?) where sequence = ?',
  )

  return ({ at, limit, route = null }) => {
    const waiting: WaitingRow[] = []
    for (let provider = nextProvider.get(''); provider !== undefined; provider = nextProvider.get(provider))
      waiting.push(...find.all({ provider, at, route, limit }))
    const oldest = waiting
      .sort((a, b) => a.received_at - b.received_at || a.sequence - b.sequence)
      .slice(0, limit)
    for (const { sequence } of oldest) make.run(at, sequence)
    return oldest.length
  }
}
