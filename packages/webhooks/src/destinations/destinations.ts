import { checkFunctions, checkPositive, integerOption, timerOption } from '@sallyport/internal/options'
import { destinationPrefix } from '@sallyport/internal/destination-row'
import { callHook } from '@sallyport/internal/promises'
import type { CheckedHandler } from '../handlers/check-handlers.ts'
import type { Destination } from '../ports/destination.ts'
import type { Inbox } from '../ports/ports.ts'
import type { AnyProvider } from '../provider/provider.ts'
import { longestDelayMs, targetOf } from './attempt.ts'
import { createBodyBudget } from './body-budget.ts'
import type { DestinationCounter } from './counter.ts'
import { pausedMs } from './gate.ts'
import { createDestinationHandler } from './handler.ts'
import { openDestination, type OpenDestination } from './open-destination.ts'
import { createPauses } from './pauses.ts'
import type { DestinationStore } from './store.ts'

interface DestinationsOptions {
  readonly destinations: readonly Destination[]
  /** Whether the destinations change later. */
  readonly canChange: boolean
  readonly inbox: Inbox
  /** Parse the bodies for destinations with `redact`. */
  readonly providers: readonly AnyProvider[]
  readonly store: DestinationStore
  readonly counter: DestinationCounter
  readonly onError: (error: unknown) => unknown
  readonly now?: (() => number) | undefined
  readonly monotonicNow?: (() => number) | undefined
  readonly random?: (() => number) | undefined
}

/** The destinations of this process, for a runner. */
export interface Destinations {
  /** Returns how to send to a destination. A destination of another process is closed. */
  find(name: string): CheckedHandler
  /** The requests that all destinations together receive at the same time. */
  readonly concurrency: number
  /** The longest delay between two attempts. */
  readonly longestDelayMs: number
  /**
   * Replaces the destinations. Those that are the same objects keep their state; running requests to others end.
   *
   * @throws TypeError for an invalid destination; then nothing changes
   */
  set(destinations: readonly Destination[]): void
  /** Makes the lanes of a destination due that wait for it. */
  wake(name: string): void
  /** Reads the states of the destinations now. */
  refresh(): Promise<void>
  /** @param listener is called when a destination may receive requests again, and when lanes become due */
  start(listener: Listener): void
  stop(): void
  /** Stores the counts of the requests that ended. */
  flush(): Promise<void>
}

interface Listener {
  readonly onRoom: () => void
  readonly onWoken: () => void
}

const refreshMs = 2000
/** Each request of a process keeps its event in memory. */
const mostConcurrency = 1000
/** The bodies of requests in original mode that a process has in memory, in bytes. */
const mostBodyBytes = 64 * 1024 * 1024
const weekMs = 7 * 86_400_000
/** The lanes that become due at once when a destination is available again. */
const wokenLanes = 1000
const wakePauseMs = 100

/** @throws TypeError for an invalid destination, and for an inbox without lanes */
export function createDestinations(options: DestinationsOptions): Destinations {
  const { inbox, providers, store, counter, onError, now = Date.now } = options
  const { monotonicNow: ticks = () => performance.now() } = options
  // eslint-disable-next-line no-restricted-properties -- the default of an option
  const { random = Math.random } = options
  checkFunctions('inbox', inbox, 'claimLanes', 'settleLanes', 'renew')
  let byName: ReadonlyMap<string, OpenDestination> = new Map()
  let concurrency = 0
  const handlers = new Map<string, CheckedHandler>()
  const bodies = createBodyBudget(mostBodyBytes)
  let listener: Listener | undefined
  let timer: ReturnType<typeof setInterval> | undefined

  const report = (error: unknown) => {
    callHook(onError, error)
  }
  const wakeLater = (name: string) => void wake(name).catch(report)
  const resumeLater = (name: string) => void resume(name).catch(report)
  const pauses = createPauses({
    store,
    onError: report,
    onResumed: resumeLater,
  })

  /**
   * Makes the lanes due that wait for the destination, some at a time. Lanes that a busy or closed destination returns wait
   * again, and must not be made due without an end.
   */
  async function wake(name: string): Promise<void> {
    const prefix = destinationPrefix(name)
    const startedAt = ticks()
    const goesOn = () =>
      timer !== undefined && ticks() - startedAt < pausedMs && (byName.get(name)?.gate.closedMs ?? 0) === 0
    while (goesOn() && (await inbox.makeLanesDue?.({ prefix, limit: wokenLanes })) === wokenLanes) {
      listener?.onWoken()
      await new Promise((resolve) => setTimeout(resolve, wakePauseMs))
    }
    listener?.onWoken()
  }

  /** The event that made the destination pause waits for its delay. */
  async function resume(name: string): Promise<void> {
    await inbox.makeDue?.({ limit: wokenLanes, target: targetOf(name) })
    await wake(name)
  }

  const open = (destination: Destination): OpenDestination =>
    openDestination(destination, {
      ...{ inbox, providers, store, counter, bodies, onError, now, ticks, random },
      isPaused: () => pauses.has(destination.name),
      isKnown: () => pauses.areKnown,
      onGone: (error) => {
        pauses.pause(destination.name, error)
      },
      onRoom: () => listener?.onRoom(),
      onClosed: () => {
        wakeLater(destination.name)
      },
    })

  function set(destinations: readonly Destination[]): void {
    const next = new Map<string, OpenDestination>()
    for (const destination of destinations) {
      const { name } = checkDestination(destination, inbox)
      if (next.has(name)) throw new TypeError('Two destinations have the same name')
      const known = byName.get(name)
      next.set(name, known?.destination === destination ? known : open(destination))
    }
    const changed = [...next].filter(([name, one]) => byName.get(name) !== one).map(([name]) => name)
    const closed = [...byName].filter(([name, one]) => next.get(name) !== one).map(([, one]) => one)
    byName = next
    for (const one of closed) one.close()
    const total = [...next.values()].reduce((sum, one) => sum + one.concurrency, 0)
    concurrency = Math.min(mostConcurrency, total)
    if (timer === undefined) return
    // Their events wait for the destinations as they were.
    changed.forEach(resumeLater)
    prepare()
  }

  function prepare(): void {
    for (const { destination } of byName.values()) destination.prepare?.().catch(report)
  }

  set(options.destinations)
  return {
    find(name) {
      const handler = handlers.get(name) ?? createDestinationHandler(() => byName.get(name), ticks)
      handlers.set(name, handler)
      return handler
    },
    get concurrency() {
      return concurrency
    },
    longestDelayMs: Math.max(options.canChange ? weekMs : 0, ...options.destinations.map(longestDelayMs)),
    set,
    wake: wakeLater,
    refresh: () => pauses.refresh(),
    start(given) {
      listener = given
      prepare()
      const refresh = async () => {
        const { areKnown } = pauses
        await pauses.refresh()
        if (!areKnown) given.onRoom()
      }
      timer ??= setInterval(() => {
        if (byName.size > 0) refresh().catch(report)
      }, refreshMs)
      refresh().catch(report)
    },
    stop() {
      clearInterval(timer)
      timer = undefined
    },
    flush: () => counter.flush(),
  }
}

const validName = /^[a-z0-9][a-z0-9._-]{0,63}$/

function checkDestination(destination: Destination, inbox: DestinationsOptions['inbox']): Destination {
  const { name, mode, concurrency, ratePerSecond, timeoutMs, maxAgeMs, retryDelaysMs = [] } = destination
  if (!validName.test(name))
    throw new TypeError(
      'The name of a destination must have 1 to 64 lower-case letters, digits, dots, hyphens and underscores',
    )
  checkFunctions(`The destination ${name}`, destination, 'send')
  if (mode === 'original') checkFunctions('inbox', inbox, 'getRequest')
  if (concurrency !== undefined) integerOption(`concurrency of ${name}`, concurrency, 1)
  if (ratePerSecond !== undefined) checkPositive(`ratePerSecond of ${name}`, ratePerSecond)
  if (timeoutMs !== undefined) timerOption(`timeoutMs of ${name}`, timeoutMs)
  if (maxAgeMs !== undefined) integerOption(`maxAgeMs of ${name}`, maxAgeMs, 1)
  for (const delayMs of retryDelaysMs) integerOption(`retryDelaysMs of ${name}`, delayMs, 1)
  return destination
}
