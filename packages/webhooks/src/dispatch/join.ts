import type { DeliveryRecord, EventRecord, RecordResult } from '../ports/ports.ts'
import type { Dispatcher, Reservation } from './dispatcher.ts'

/** Joins the dispatcher of a bus with the runner of lanes. A delivery is recorded under a lease if both have room for its events. */
export function joinDispatchers(bus: Dispatcher, lanes: Dispatcher): Dispatcher {
  const parts = [
    { dispatcher: bus, isPart: ({ lane }: EventRecord) => lane === undefined },
    { dispatcher: lanes, isPart: ({ lane }: EventRecord) => lane !== undefined },
  ]

  function reserve(record: DeliveryRecord): Reservation | undefined {
    const used = parts.filter(({ isPart }) => record.events.some(isPart))
    const reserved = used.map(({ dispatcher, isPart }) => {
      const reservation = dispatcher.reserve({ ...record, events: record.events.filter(isPart) })
      return { dispatcher, isPart, reservation }
    })
    const leases = reserved.map(({ reservation }) => reservation?.leaseMs ?? 0)
    const leaseMs = Math.min(...leases)
    if (leaseMs > 0 && leaseMs !== Infinity)
      return {
        leaseMs,
        giveUp() {
          for (const { reservation } of reserved) reservation?.giveUp()
        },
        fill(result) {
          for (const { isPart, reservation } of reserved) reservation?.fill(select(record, result, isPart))
        },
      }
    for (const { reservation } of reserved) reservation?.giveUp()
    return {
      giveUp: () => undefined,
      fill() {
        for (const { dispatcher } of used) dispatcher.wake('publish')
      },
    }
  }

  return {
    notifies: bus.notifies,
    reserve,
    wake(work) {
      for (const { dispatcher } of parts) dispatcher.wake(work)
    },
    start() {
      for (const { dispatcher } of parts) dispatcher.start()
    },
    async stop(graceMs) {
      await Promise.all(parts.map(({ dispatcher }) => dispatcher.stop(graceMs)))
    },
  }
}

const select = (
  { events }: DeliveryRecord,
  result: RecordResult,
  isPart: (event: EventRecord) => boolean,
): RecordResult => ({
  events: result.events.filter((_, index) => {
    const event = events[index]
    return event !== undefined && isPart(event)
  }),
})
