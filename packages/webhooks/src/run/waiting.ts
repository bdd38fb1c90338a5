import type { CheckedHandler } from '../handlers/check-handlers.ts'
import type { ClaimedWork } from '../ports/ports.ts'
import type { Slots } from './slots.ts'
import type { Unit } from './unit.ts'

interface WaitingOptions {
  readonly slots: Slots
  readonly findHandler: (work: ClaimedWork | undefined) => CheckedHandler | undefined
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

/** How long a unit waits for a slot, in milliseconds. */
const longestWaitMs = 1000
/** After how long a returned unit is due again: longer with each ten, until its handler has no more work. */
const returnMs = { least: 1000, most: 30_000 }

/**
 * Creates the queue in front of the slots. A unit whose handler is busy waits beside the others, which keep their slots. At most
 * as many units wait for a busy handler as it runs.
 */
export function createWaiting({ slots, findHandler, random, start, release }: WaitingOptions): Waiting {
  let ready: Unit[] = []
  const blocked = new Map<CheckedHandler, Unit[]>()
  const returns = new Map<CheckedHandler, number>()

  /** Returns a unit with a busy handler later each time: its events must not hide those of other handlers. */
  function giveBack(unit: Unit, handler: CheckedHandler): void {
    const returned = returns.get(handler) ?? 0
    returns.set(handler, returned + 1)
    const doublings = Math.floor(returned / (10 * handler.concurrency))
    const longestMs = Math.min(returnMs.most, returnMs.least * 2 ** doublings)
    release(unit, Math.ceil((longestMs * (1 + random())) / 2))
  }

  function block(unit: Unit, handler: CheckedHandler): void {
    const units = blocked.get(handler) ?? []
    if (units.length >= handler.concurrency) giveBack(unit, handler)
    else blocked.set(handler, [...units, unit])
  }

  /** Lets the units of handlers continue that are no longer busy. */
  function unblock(): void {
    for (const [handler, units] of blocked) {
      if (!slots.hasRoom(handler)) continue
      blocked.delete(handler)
      ready.unshift(...units)
    }
    for (const handler of returns.keys())
      if (slots.hasRoom(handler) && !ready.some((unit) => findHandler(unit.works[0]) === handler))
        returns.delete(handler)
  }

  return {
    get room() {
      return slots.free - ready.length
    },
    push(unit) {
      const handler = findHandler(unit.works[0])
      if (handler === undefined || slots.hasRoom(handler)) ready.push(unit)
      else block(unit, handler)
    },
    pump() {
      if (blocked.size + returns.size > 0) unblock()
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
      for (const [handler, units] of blocked) {
        const kept = units.filter((unit) => !isOld(unit))
        if (kept.length > 0) blocked.set(handler, kept)
        else blocked.delete(handler)
        for (const unit of units.filter(isOld)) giveBack(unit, handler)
      }
    },
    clear() {
      const all = [...ready, ...[...blocked.values()].flat()]
      ready = []
      blocked.clear()
      return all
    },
  }
}
