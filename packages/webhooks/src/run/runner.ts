import { readRow } from '@sallyport/internal/destination-row'
import { waitAtMost, withDeadline } from '@sallyport/internal/deadline'
import { checkGrace } from '@sallyport/internal/options'
import type { Destinations } from '../destinations/destinations.ts'
import { createDestinationHandler } from '../destinations/handler.ts'
import type { Dispatcher } from '../dispatch/dispatcher.ts'
import { passNotifications } from '../dispatch/pass-notifications.ts'
import { leaseAges } from '../ports/lease-age.ts'
import type { ClaimedWork } from '../ports/ports.ts'
import type { AnyProvider } from '../provider/provider.ts'
import { createEventAttempt } from './attempt-event.ts'
import { createUnitClaims } from './claim-units.ts'
import { createHandlerOutages } from './handler-outages.ts'
import { createLeases } from './leases.ts'
import { createNotifyLoop } from './notify-loop.ts'
import { createPace } from './pace.ts'
import { createReservations } from './reserve-units.ts'
import { createUnitRun } from './run-unit.ts'
import { checkRunnerOptions, type RunnerOptions } from './runner-options.ts'
import { createSettler } from './settler.ts'
import { createSlots } from './slots.ts'
import type { Unit } from './unit.ts'
import { createWaiting } from './waiting.ts'

/** The size of the events that one claim reads, 16 MiB; parsed data takes several times as much memory. */
const claimBytes = 16_777_216
/** How long `stop` waits for running handlers. */
const defaultGraceMs = 5000
/** How long `stop` waits for the last settlements. */
const settleMs = 2000

/**
 * Creates the dispatcher that runs handlers, for a system without a bus. Each event goes to the handler of its name at least
 * once, and is retried until the handler returns.
 *
 * Events of one lane run one after the other, and lanes run beside each other; see `lane` of `createGateway`. Events without
 * a lane run beside each other in any order. Leases are renewed while a handler runs. The signal of a handler aborts at its
 * timeout, when another process may have its lease, and when the process stops; what the handler returns then has no effect.
 *
 * A handler that throws is retried with back-off, unless the error is a `HandlerError` with `retryable: false`, or has one as
 * its `cause`. When an event of a handler succeeds after all others had failed, those that wait are due at once. An event can
 * repeat after a crash: handlers must be idempotent by `event.id`.
 *
 * With `createRunner<typeof providers>({ … })`, names and data have the types of the providers, and an unknown kind is a
 * compile-time error. Data are JSON values: dates are strings, sets are arrays. The data of a manual test
 * (`event.source.manual`) can differ from its type.
 *
 * @throws TypeError for a handler that is not a function, a number out of range, and limits that contradict each other
 *
 * @example
 * ```ts
 * import { createRunner, defineProvider, hmac, createMemoryInbox } from '@sallyport/webhooks'
 * import { z } from 'zod'
 *
 * const doorbell = defineProvider({
 *   name: 'doorbell',
 *   signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-doorbell-signature' }),
 *   events: { 'bell.rung': z.object({ door: z.string() }) },
 *   normalize: () => [],
 * })
 * const providers = [doorbell]
 *
 * const dispatcher = createRunner<typeof providers>({
 *   inbox: createMemoryInbox(),
 *   on: {
 *     'doorbell/bell.rung': async ({ data }, signal) => {
 *       await fetch(`https://lights.example/${data.door}`, { method: 'POST', signal })
 *     },
 *   },
 * })
 * ```
 */
export function createRunner<Providers extends readonly AnyProvider[] = readonly AnyProvider[]>(
  options: RunnerOptions<Providers>,
): Dispatcher {
  return createUnitRunner(options)
}

interface UnitRunnerOptions extends RunnerOptions {
  /** The destinations of rows. @default none */
  readonly destinations?: Destinations | undefined
  /** Whether a dispatcher claims the events without a lane. @default false */
  readonly lanesOnly?: boolean
}

/** Creates the runner of the handlers and of destinations. */
export function createUnitRunner(options: UnitRunnerOptions): Dispatcher {
  const { destinations, lanesOnly = false } = options
  const { inbox, onAttempt, onHandlerError, onError, unhandled, onDead } = options
  // eslint-disable-next-line no-restricted-properties -- the default of an option
  const { now = Date.now, random = Math.random } = options
  const { leaseMs, pollMs, handlers, ...checked } = checkRunnerOptions(options)
  const getConcurrency = () => (lanesOnly ? 0 : checked.concurrency) + (destinations?.concurrency ?? 0)
  const longestDelayMs = Math.max(checked.longestDelayMs, destinations?.longestDelayMs ?? 0)
  const startLease = leaseAges(now, options.monotonicNow)
  const findHandler = (work: Pick<ClaimedWork, 'event'> | undefined) => {
    const { destination } = readRow(work?.event.id ?? '')
    if (destination !== undefined) return destinations?.find(destination) ?? unknownDestination
    // Another process has the handlers of a lane that is not of a destination.
    return lanesOnly ? unknownDestination : handlers.get(work?.event.name ?? '')
  }
  const gateOf = (work: Pick<ClaimedWork, 'event'>) => findHandler(work)?.gate
  const isClosed = (work: Pick<ClaimedWork, 'event'>) => (gateOf(work)?.closedMs ?? 0) > 0
  const unknownDestination = createDestinationHandler(
    () => undefined,
    () => performance.now(),
  )
  const runs = new Set<Promise<void>>()
  let isStopped = true
  let timer: ReturnType<typeof setInterval> | undefined

  const notifying = createNotifyLoop(options, leaseMs)
  const slots = createSlots(getConcurrency, startLease, destinations && checked.concurrency)
  const pace = createPace(startLease)
  const leases = createLeases({ inbox, leaseMs, startLease, onError })
  const settle = createSettler({
    ...{ inbox, leaseMs, onError },
    settleEvents: notifying
      ? passNotifications({ inbox, notifying, leaseMs, now })
      : (settlements) => withDeadline(leaseMs, inbox.settle('publish', settlements)),
    onLanesDone: () => notifying?.wake(),
  })
  const outages = createHandlerOutages({
    ...{ inbox, leaseMs, startClock: startLease, onError },
    onRecovery: () => {
      claims.poll()
    },
  })
  const run = createUnitRun({
    ...{ slots, leases, leaseMs, settle, findHandler, onAttempt, onResult: outages.count },
    attempt: createEventAttempt({
      ...{ now, random, onHandlerError, onError, runHandler: options.runHandler },
      refusesUnhandled: unhandled === 'refuse',
    }),
    pausesLanes: onDead === 'pause',
    isRunning: () => !isStopped,
    onRoom: useRoom,
    onLaneDue: () => {
      claims.pollLanes()
    },
  })
  const waiting = createWaiting({
    ...{ slots, findHandler, startClock: startLease, random },
    start(unit) {
      const running: Promise<void> = run(unit).finally(() => {
        runs.delete(running)
        pace.count()
        useRoom()
      })
      runs.add(running)
    },
    release: (unit, afterMs) => void release([unit], afterMs),
  })

  function useRoom(): void {
    if (isStopped) return
    waiting.pump()
    if (getRoom() > 0) claims.pollBacklog()
  }

  /** How many more units to take: those that can start soon, while few settlements wait for the inbox. */
  function getRoom(): number {
    const concurrency = getConcurrency()
    const settling = runs.size - (concurrency - slots.free)
    const soon = pace.recent
    return Math.min(waiting.room + soon - reservations.units, 2 * concurrency + soon - settling)
  }

  const reservations = createReservations({
    ...{ leaseMs, startLease, take },
    room: () => (isStopped ? 0 : getRoom()),
    bytes: () => leases.bytes,
    isClosed: (event) => isClosed({ event }),
    onUnleased: ({ hasEvents, hasLanes }) => {
      if (hasEvents) claims.pollEvents()
      if (hasLanes) claims.pollLanes()
    },
  })
  const claims = createUnitClaims({
    ...{ inbox, leaseMs, longestDelayMs, pollMs, startLease, take, release, onError, lanesOnly },
    room: () => ({ limit: Math.max(0, getRoom()), maxBytes: claimBytes }),
    prepare: outages.makeDue,
  })

  function take(units: readonly Unit[]): number {
    if (isStopped) {
      void release(units)
      return 0
    }
    for (const unit of units) {
      leases.add(unit)
      waiting.push(unit)
      // The unit takes its slots, so that the next one finds the rest.
      waiting.pump()
    }
    return units.every((unit) => leases.held.has(unit)) ? units.length : 0
  }

  async function release(units: readonly Unit[], afterMs = 0): Promise<void> {
    const outcome = { status: 'released', ...(afterMs > 0 && { afterMs }) } as const
    await Promise.all(
      units.map(async (unit) => {
        const [work] = unit.works
        leases.delete(unit)
        if (work === undefined) return
        const wasClosed = isClosed(work)
        // The other events of a lane without an order wait too.
        const ending = unit.lane === undefined ? { outcome } : { outcome: undefined, afterMs }
        await settle(unit, { work, ...ending, releases: true })
        const { destination } = readRow(work.event.id)
        // The destination became available during the settlement. Before a probe succeeds, its lanes wait.
        if (destination !== undefined && wasClosed && gateOf(work)?.isAvailable === true)
          destinations?.wake(destination)
      }),
    )
  }

  return {
    notifies: notifying !== undefined,
    reserve: (record) => reservations.reserve(record),
    wake(work) {
      if (work !== 'notify') claims.poll()
      if (work !== 'publish') notifying?.wake()
    },
    start() {
      if (!isStopped) return
      isStopped = false
      timer = setInterval(
        () => {
          void leases.renew()
          waiting.releaseOld()
        },
        Math.min(1000, Math.ceil(leaseMs / 6)),
      )
      claims.start()
      notifying?.start()
      destinations?.start({
        onRoom: useRoom,
        onWoken: () => {
          claims.pollLanes()
        },
      })
    },
    async stop(graceMs = defaultGraceMs) {
      checkGrace(graceMs)
      isStopped = true
      destinations?.stop()
      const stopping = Promise.all([claims.stop(), release(waiting.clear()), notifying?.stop(graceMs)])
      await waitAtMost(graceMs, Promise.all(runs))
      const reason = new DOMException('The runner stops', 'AbortError')
      for (const { ending } of leases.held) ending.end(reason)
      await waitAtMost(
        settleMs,
        Promise.all([stopping, ...runs]).then(() => destinations?.flush()),
      )
      clearInterval(timer)
    },
  }
}
