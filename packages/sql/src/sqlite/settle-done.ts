import type { Settlement } from '@sallyport/webhooks'
import type Database from 'better-sqlite3'
import { toSettlementFields } from './fields.ts'
import { prepareSettle } from './settle.ts'
import { prepareSettleLanes } from './settle-lanes.ts'

/** The settlement of an event as done, under its lease or that of its lane. */
export interface DoneCommand {
  readonly at: number
  readonly id: string
  readonly lease: string
  readonly lane: string | undefined
}

/** Settles an event in an open transaction, and returns whether the lease was valid and the event was open. */
export function prepareSettleDone(connection: Database.Database): (command: DoneCommand) => boolean {
  const settle = prepareSettle(connection)
  const settleLanes = prepareSettleLanes(connection)
  // An earlier settlement under the same lease may have ended the event, such as after a timeout.
  const findOpen = connection.prepare<[id: string, lane: string]>(
    `select 1 from idempotency_keys k join events e on e.sequence = k.event
     where k.scope = 'event' and k.key = +? and e.id = k.key and e.lane = ? and e.status = 'pending'`,
  )
  return ({ at, id, lease, lane }) => {
    const settlement: Settlement = { id, lease, outcome: { status: 'done' } }
    const settlements = toSettlementFields([settlement])
    if (lane === undefined) {
      const [result = 'lost'] = settle({ at, work: 'publish', settlements, lease: undefined })
      return result !== 'lost'
    }
    if (findOpen.get(id, lane) === undefined) return false
    const [result] = settleLanes({ at, lanes: [{ name: lane, lease, settlements, releases: false }] })
    return result?.isSettled === true
  }
}
