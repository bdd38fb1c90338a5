import type { CheckedHandler } from '../handlers/check-handlers.ts'
import type { ClaimedWork } from '../ports/ports.ts'
import type { LeaseAge } from '../ports/lease-age.ts'
import { createBusyHandler, longestWaitMs, type BusyHandler } from './busy-handler.ts'
import type { Slots } from './slots.ts'
import type { Unit } from './unit.ts'

interface WaitingOptions {
  readonly slots: Slots
  readonly findHandler: (work: ClaimedWork | undefined) => CheckedHandler | undefined
  readonly startClock: () => LeaseAge
  readonly random: () => number
  /** Starts a unit. The slots of the unit and of its handler are taken. */
  readonly start: (unit: Unit) => void
  /** Returns a unit that this process cannot handle soon. */
  readonly release: (unit: Unit, afterMs: number) => void
}

/** The units that wait for a slot. */
export interface Waiting {
  /** How many more units can start now; negative when more wait. */
  readonly room: number
  push(unit: Unit): void
  /** Starts units up to the limits, those that wait longest first. */
  pump(): void
  /** Returns the units that have waited too long, so that another process can handle them. */
  releaseOld(): void
  /** Removes and returns all units. */
  clear(): readonly Unit[]
}

/**
 * Creates the queue in front of the slots. A unit whose handler is busy waits beside the others, which keep their slots.
 */
export function createWaiting({
  slots,
  findHandler,
  startClock,
  random,
  start,
  release,
}: WaitingOptions): Waiting {
  let ready: Unit[] = []
  const busy = new Map<CheckedHandler, BusyHandler>()

  function getBusy(handler: CheckedHandler): BusyHandler {
    const { concurrency } = handler
    const pace = slots.paceOf(handler)
    const one = busy.get(handler) ?? createBusyHandler({ concurrency, pace, startClock, random })
    busy.set(handler, one)
    return one
  }

  function block(unit: Unit, handler: CheckedHandler): void {
    const { closedMs = 0 } = handler.gate ?? {}
    const one = getBusy(handler)
    if (closedMs > 0) release(unit, closedMs)
    else if (one.units.length < one.most) one.units.push(unit)
    else release(unit, one.nextReturnMs())
  }

  /** Lets units continue whose handler is no longer busy. */
  function unblock(): void {
    for (const [handler, { units }] of busy) {
      const room = slots.roomOf(handler)
      if (room <= 0) continue
      if (units.length > 0) ready.unshift(...units.splice(0, room))
      else if (!ready.some((unit) => findHandler(unit.works[0]) === handler)) busy.delete(handler)
    }
  }

  return {
    get room() {
      return slots.free - ready.length
    },
    push(unit) {
      const handler = findHandler(unit.works[0])
      if (handler === undefined || slots.roomOf(handler) > 0) ready.push(unit)
      else block(unit, handler)
    },
    pump() {
      unblock()
      while (slots.free > 0) {
        const unit = ready.shift()
        if (unit === undefined) break
        const handler = findHandler(unit.works[0])
        if (slots.enter(handler)) {
          slots.take()
          start(unit)
        } else if (handler) block(unit, handler)
      }
    },
    releaseOld() {
      const isOld = ({ age }: Unit) => age() >= longestWaitMs
      const old = ready.filter(isOld)
      ready = ready.filter((unit) => !old.includes(unit))
      for (const unit of old) release(unit, 0)
      for (const { units, nextReturnMs } of busy.values()) {
        // The first of them wait longest.
        while (units[0] && isOld(units[0])) release(units.shift() as Unit, nextReturnMs())
      }
    },
    clear() {
      const all = [...ready, ...[...busy.values()].flatMap(({ units }) => units.splice(0))]
      ready = []
      return all
    },
  }
}
