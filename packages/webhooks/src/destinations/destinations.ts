import { checkFunctions, checkPositive, integerOption, timerOption } from '@sallyport/internal/options'
import { destinationPrefix } from '@sallyport/internal/destination-row'
import { callHook } from '@sallyport/internal/promises'
import type { CheckedHandler } from '../handlers/check-handlers.ts'
import type { Destination, DestinationResult } from '../ports/destination.ts'
import type { Inbox } from '../ports/ports.ts'
import { createDestinationAttempt, longestDelayMs, timeoutOf } from './attempt.ts'
import { createBreaker } from './breaker.ts'
import { createGate, pausedMs, unknownGate } from './gate.ts'
import { createRate } from './rate.ts'
import type { DestinationStore } from './store.ts'

interface DestinationsOptions {
  readonly destinations: readonly Destination[]
  readonly inbox: Inbox
  readonly store: DestinationStore
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
  readonly longestDelayMs: number
  /** Makes the lanes of a destination due that wait for it. */
  wake(name: string): void
  /** Reads the states of the destinations now. */
  refresh(): Promise<void>
  /** @param listener is called when a destination may receive requests again, and when lanes become due */
  start(listener: Listener): void
  stop(): void
}

interface Listener {
  readonly onRoom: () => void
  readonly onWoken: () => void
}

/** The results in a row that open the breaker. */
const breakerFailures = 5
const refreshMs = 2000
const defaultConcurrency = 10
/** Each request of a process keeps its event in memory. */
const mostConcurrency = 1000
/** The lanes that become due at once when a destination is available again. */
const wokenLanes = 1000
const wakePauseMs = 100

/** @throws TypeError for an invalid destination, and for an inbox without lanes */
export function createDestinations(options: DestinationsOptions): Destinations {
  const { inbox, store, onError, now = Date.now, monotonicNow: ticks = () => performance.now() } = options
  // eslint-disable-next-line no-restricted-properties -- the default of an option
  const { random = Math.random } = options
  checkFunctions('inbox', inbox, 'claimLanes', 'settleLanes', 'renew')
  const destinations = options.destinations.map((one) => checkDestination(one, inbox))
  const names = destinations.map(({ name }) => name)
  if (new Set(names).size < names.length) throw new TypeError('Two destinations have the same name')
  const paused = new Set<string>()
  let listener: Listener | undefined
  let timer: ReturnType<typeof setInterval> | undefined

  const report = (error: unknown) => {
    callHook(onError, error)
  }

  /**
   * Makes the lanes due that wait for the destination, some at a time. Lanes that a busy or closed destination returns wait
   * again, and must not be made due without an end.
   */
  async function wake(name: string): Promise<void> {
    const prefix = destinationPrefix(name)
    const startedAt = ticks()
    const goesOn = () =>
      timer !== undefined && ticks() - startedAt < pausedMs && (byName.get(name)?.gate?.closedMs ?? 0) === 0
    while (goesOn() && (await inbox.makeLanesDue?.({ prefix, limit: wokenLanes })) === wokenLanes) {
      listener?.onWoken()
      await new Promise((resolve) => setTimeout(resolve, wakePauseMs))
    }
    listener?.onWoken()
  }

  async function refresh(): Promise<void> {
    const states = await store.list()
    const stored = new Set(states.flatMap(({ name, pausedAt }) => (pausedAt === undefined ? [] : [name])))
    const resumed = [...paused].filter((name) => !stored.has(name))
    paused.clear()
    for (const name of stored) paused.add(name)
    for (const name of resumed) void wake(name).catch(report)
  }

  function open(destination: Destination): CheckedHandler {
    const { name, ratePerSecond, concurrency = defaultConcurrency } = destination
    const breaker = createBreaker({ failures: breakerFailures, ticks, random })
    const rate =
      ratePerSecond === undefined
        ? undefined
        : createRate({
            ...{ ratePerSecond, ticks, onError: report },
            reserve: (count) => store.reserve(name, { ratePerSecond, count }),
            onRoom: () => listener?.onRoom(),
          })
    const gate = createGate({ breaker, rate, isPaused: () => paused.has(name), random })

    function onResult({ outcome, error, status, unavailable = false }: DestinationResult): void {
      if (outcome === 'gone') {
        paused.add(name)
        store.pause(name, error).catch(report)
      }
      // A message that cannot be sent says nothing about the destination.
      if (outcome === 'dead' && status === undefined) return
      const change = breaker.count(unavailable)
      if (change === undefined) return
      store.setBreaker(name, change === 'opened' ? breaker.openMs : undefined).catch(report)
      if (change === 'closed') void wake(name).catch(report)
    }

    const getRequest = (delivery: string) => inbox.getRequest?.(delivery) ?? Promise.resolve(undefined)
    const attempt = createDestinationAttempt(destination, { getRequest, onResult, onError, now, random })
    return { ...base, timeoutMs: timeoutOf(destination), concurrency, gate, attempt }
  }

  const byName = new Map(destinations.map((destination) => [destination.name, open(destination)]))
  const total = destinations.reduce((sum, { concurrency = defaultConcurrency }) => sum + concurrency, 0)

  return {
    find: (name) => byName.get(name) ?? unknownDestination,
    concurrency: Math.min(mostConcurrency, total),
    longestDelayMs: Math.max(0, ...destinations.map(longestDelayMs)),
    wake: (name) => void wake(name).catch(report),
    refresh,
    start(given) {
      listener = given
      timer ??= setInterval(() => {
        refresh().catch(report)
      }, refreshMs)
      refresh().catch(report)
    },
    stop() {
      clearInterval(timer)
      timer = undefined
    },
  }
}

const base = { handle: () => undefined, maxAttempts: Infinity, backoff: {} } as const
/** A destination of another process: this one makes no attempt. */
export const unknownDestination: CheckedHandler = { ...base, timeoutMs: 1, concurrency: 1, gate: unknownGate }

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
