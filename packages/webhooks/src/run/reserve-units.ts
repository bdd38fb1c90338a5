import type { Reservation } from '../dispatch/dispatcher.ts'
import type { LeaseAge } from '../ports/lease-age.ts'
import type { WebhookEvent } from '../ports/event.ts'
import type { ClaimedWork, DeliveryRecord, RecordResult } from '../ports/ports.ts'
import { createUnit, type Unit } from './unit.ts'

interface ReservationsOptions {
  readonly leaseMs: number
  readonly startLease: () => LeaseAge
  /** How many more units can start now. */
  readonly room: () => number
  /** The data of the events in memory, in bytes. */
  readonly bytes: () => number
  readonly take: (units: readonly Unit[]) => unknown
  /** Whether the destination of an event is closed: its lane is due later. */
  readonly isClosed: (event: WebhookEvent) => boolean
  /** Called when a delivery is recorded, with the kinds of new events that may be due and have no lease. */
  readonly onUnleased: (kinds: { readonly hasEvents: boolean; readonly hasLanes: boolean }) => void
}

/** The free slots that the records of deliveries have taken. */
export interface Reservations {
  readonly units: number
  /** Takes slots for the events of a delivery. Without a free slot, its events are claimed after their record. */
  reserve(record: DeliveryRecord): Reservation
}

/** The maximum size of the events in memory, 64 MiB. */
const memoryBytes = 67_108_864

export function createReservations(options: ReservationsOptions): Reservations {
  const { leaseMs, startLease, room, bytes, take, isClosed, onUnleased } = options
  const reserved = { units: 0, bytes: 0 }
  return {
    get units() {
      return reserved.units
    },
    reserve(record) {
      const { events, body } = record
      // The data of the events is about as large as the body.
      const hasMemory = bytes() + reserved.bytes + body.byteLength <= memoryBytes
      const isReserved = events.length > 0 && hasMemory && room() > 0
      const taken = isReserved ? { units: events.length, bytes: body.byteLength } : { units: 0, bytes: 0 }
      reserved.units += taken.units
      reserved.bytes += taken.bytes
      const leaseAge = startLease()
      const leave = () => {
        reserved.units -= taken.units
        reserved.bytes -= taken.bytes
      }
      return {
        ...(isReserved && { leaseMs }),
        giveUp: leave,
        fill(result) {
          leave()
          take(createUnits(record, result, leaseAge, startLease))
          const unleased = events.filter(({ event }, index) => {
            const { duplicate = true, lease } = result.events[index] ?? {}
            return !duplicate && lease === undefined && !isClosed(event)
          })
          onUnleased({
            hasEvents: unleased.some(({ lane }) => lane === undefined),
            hasLanes: unleased.some(({ lane }) => lane !== undefined),
          })
        },
      }
    },
  }
}

/** Creates the units of the new events of a delivery: one for each lane, and one for each event without a lane. */
function createUnits(
  { events, body, receivedAt }: DeliveryRecord,
  result: RecordResult,
  leaseAge: LeaseAge,
  startAge: () => LeaseAge,
): readonly Unit[] {
  const sources = new Map<string | symbol, { lane?: string; lease: string; works: ClaimedWork[] }>()
  for (const [index, { event, route, lane }] of events.entries()) {
    const lease = result.events[index]?.lease
    if (lease === undefined) continue
    const bytes = body.byteLength / events.length
    const work = { event, route, attempts: 0, since: receivedAt, lease, bytes }
    const key = lane?.name ?? Symbol('an event without a lane')
    const source = sources.get(key)
    if (source) source.works.push(work)
    else sources.set(key, { ...(lane && { lane: lane.name }), lease, works: [work] })
  }
  return [...sources.values()].flatMap((source) => createUnit({ ...source, leaseAge }, startAge()) ?? [])
}
