import type Database from 'better-sqlite3'
import { prepareAdmission } from './admit-events.ts'
import type { ResolveCommand } from './commands.ts'

interface DeliveryRow {
  readonly sequence: number
  readonly provider: string
  readonly receivedAt: number
}

/** Gives a quarantined delivery its events; null when no such delivery is in quarantine. */
export function prepareResolve(connection: Database.Database): (command: ResolveCommand) => boolean[] | null {
  const find = connection.prepare<[id: string], DeliveryRow>(
    `select sequence, provider, received_at as receivedAt from deliveries
     where id = ? and eventless = 'quarantined' and erased_at is null`,
  )
  const end = connection.prepare(
    'update deliveries set eventless = ?, quarantine_reason = null where sequence = ?',
  )
  const admit = prepareAdmission(connection)

  return ({ at, id, events, lease }) => {
    const delivery = find.get(id)
    if (delivery === undefined) return null
    const { sequence, provider, receivedAt } = delivery
    const known = admit(events, { at, lease, provider, receivedAt }, () => sequence)
    end.run(known.includes(false) ? null : 'resolved', sequence)
    return known
  }
}
