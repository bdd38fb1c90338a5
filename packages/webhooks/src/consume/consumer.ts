import { setTimeout as sleep } from 'node:timers/promises'
import { maxTimerMs, runWithTimeout } from '@sallyport/internal/deadline'
import { integerOption, timerOption } from '@sallyport/internal/options'
import { readPostponed } from '@sallyport/internal/postponed'
import { callHook } from '@sallyport/internal/promises'
import { createSemaphore } from '@sallyport/internal/semaphore'
import { createWakeUps } from '@sallyport/internal/wake-ups'
import { retryDelay, type BackoffOptions } from '../dispatch/backoff.ts'
import type { EventHandler, EventHandlers } from '../handlers/event-handlers.ts'
import { toHandlerFailure } from '../handlers/handler-error.ts'
import type { WebhookEvent } from '../ports/event.ts'
import type { AnyProvider } from '../provider/provider.ts'
import { createConsumerLanes, getLane } from './lanes.ts'
import type { ConsumerSource, ReceivedMessage } from './source.ts'

/** The longest wait of a lost message for its end, in milliseconds. */
const lostCheckMs = 1000
/** After this time, in milliseconds, the messages that wait for a running handler leave the memory. */
const slowMs = 1000
/** The longest delay that the error of a handler can ask for, in milliseconds. */
const longestRequestMs = 3_600_000

export interface ConsumerOptions<Providers extends readonly AnyProvider[] = readonly AnyProvider[]> {
  /**
   * The name of the consumer: up to 100 letters, digits, `_` and `-`. Processes with the same name share the events; each
   * name receives all events.
   */
  readonly name: string
  /** Handlers by the name of their event, or one for every event. An event without a handler is acknowledged. */
  readonly handlers: EventHandlers<NoInfer<Providers>> | EventHandler<WebhookEvent>
  /** Handlers that run at the same time, at most one per subject. @default 10 */
  readonly concurrency?: number
  /** Messages that are received and not settled, with those that wait for a retry. @default 100 */
  readonly maxInFlight?: number
  /**
   * Further messages in the process that only wait for an earlier one of their subject. With more of them, a subject that fails
   * stops the others. The embedded bus of a database keeps such messages in a table instead.
   *
   * @default 1,000
   */
  readonly maxWaiting?: number
  /** Timeout of a handler, in milliseconds. The signal of the handler then aborts, and the attempt fails. @default 30,000 */
  readonly timeoutMs?: number
  /** Attempts before an event becomes a dead letter. Events with the same subject wait until then. @default 10 */
  readonly attempts?: number
  /**
   * Deliveries of an event without a result, after which the event becomes a dead letter without an attempt: it may end the
   * processes that handle it. NATS, Redis and RabbitMQ count. Each stop of a process counts for the events that it has not
   * settled, so the limit must be larger than the number of processes that stop in a deployment.
   *
   * @default 30
   */
  readonly maxDeliveries?: number
  /**
   * Delays between attempts; longer if the error of the handler has `retryAfterMs`, up to an hour.
   *
   * @default 1 second, doubled up to a minute, with jitter
   */
  readonly backoff?: Pick<BackoffOptions, 'baseMs' | 'maximumMs'>
  /** How long `stop` waits for running handlers before their signals abort, in milliseconds. @default 10,000 */
  readonly stopTimeoutMs?: number
  /**
   * Loads the data of an event with a `dataref`, such as `fetchData` of `@sallyport/webhooks/http`. Without it, the handler
   * receives the event without data.
   */
  readonly loadData?: (event: WebhookEvent) => Promise<unknown>
  /** Called with each failure: of a handler with its event, and of the bus. */
  readonly onError?: (error: unknown, event?: WebhookEvent) => unknown
  /** Called for each dead letter; without an event if the message is not an event. */
  readonly onDeadLetter?: (reason: string, event?: WebhookEvent) => unknown
  /** From 0 up to 1. @default Math.random */
  readonly random?: () => number
}

/** Receives the events of a bus and calls their handlers. */
export interface Consumer {
  /**
   * Begins to receive, and creates what is missing on the bus. Resolves when the bus answers: an event that is published
   * later is received. While the bus is unavailable, the consumer tries again.
   */
  start(): Promise<void>
  /** Ends the receipt, waits for running handlers, and returns the other messages to the bus. */
  stop(): Promise<void>
}

/**
 * Creates a consumer on a source. Each event reaches its handler at least once. A message is acknowledged after its handler
 * has returned, so a handler must be idempotent by `event.id`: `database.once` of `@sallyport/sql` makes it so.
 *
 * Events with the same subject are handled one after the other, in their order on the bus, also after a failure.
 *
 * @throws TypeError if an option is out of range or a handler is not a function
 */
export function createConsumer<Providers extends readonly AnyProvider[] = readonly AnyProvider[]>(
  source: ConsumerSource,
  options: ConsumerOptions<Providers>,
): Consumer {
  // eslint-disable-next-line no-restricted-properties -- the default of an option
  const { name, loadData, onError, onDeadLetter, random = Math.random } = options
  const concurrency = integerOption('concurrency', options.concurrency ?? 10, 1)
  const maxInFlight = integerOption('maxInFlight', options.maxInFlight ?? 100, concurrency)
  const maxWaiting = integerOption('maxWaiting', options.maxWaiting ?? 1000, 0)
  const attempts = integerOption('attempts', options.attempts ?? 10, 1)
  const maxDeliveries = integerOption('maxDeliveries', options.maxDeliveries ?? 30, 1)
  const timeoutMs = timerOption('timeoutMs', options.timeoutMs ?? 30_000)
  const stopTimeoutMs = timerOption('stopTimeoutMs', options.stopTimeoutMs ?? 10_000)
  const { baseMs = 1000, maximumMs = 60_000 } = options.backoff ?? {}
  integerOption('backoff.baseMs', baseMs, 0)
  integerOption('backoff.maximumMs', maximumMs, 0)
  if (!/^[\w-]{1,100}$/.test(name)) throw new TypeError('name must be 1 to 100 letters, digits, _ and -')
  const findHandler = createLookup(options.handlers)

  const stopping = new AbortController()
  const ending = new AbortController()
  const unsettled = new Set<ReceivedMessage>()
  /** Those that wait for an earlier one of their lane. */
  const behind = new Set<ReceivedMessage>()
  const full = () => new Error('The consumer has too many messages')
  const semaphore = createSemaphore({ limit: concurrency, maxWaiting: maxInFlight, onOverload: full })
  const lanes = createConsumerLanes(full)
  const changes = createWakeUps()
  const isStopping = () => stopping.signal.aborted
  const opened = Promise.withResolvers<undefined>()
  let receiving: Promise<void> | undefined
  let renewing: NodeJS.Timeout | undefined

  function delayAfter(failures: number, leastMs = 0): number {
    const backoff = { baseMs, maximumMs, giveUpAfterMs: Infinity }
    const delayMs = retryDelay(failures - 1, 0, random, backoff) ?? maximumMs
    return Math.max(delayMs, Math.min(leastMs, longestRequestMs))
  }

  /** Pauses before the next attempt. The pause ends early when the message is lost. */
  async function pauseFor(delayMs: number, message?: ReceivedMessage): Promise<void> {
    for (let restMs = delayMs; restMs > 0 && !isStopping() && !message?.isLost?.(); restMs -= lostCheckMs)
      await pause(Math.min(restMs, lostCheckMs), stopping.signal)
  }

  const attempt = (message: ReceivedMessage, event: WebhookEvent, handler: EventHandler<never>) =>
    semaphore.run(async () => {
      if (isStopping() || message.isLost?.()) return 'skipped'
      const slow = message.hold && setTimeout(() => void hold(message, event), slowMs)
      try {
        await runWithTimeout(timeoutMs, async (timeout) => {
          const isReference = event.dataref !== undefined && loadData !== undefined
          const complete = isReference ? { ...event, data: await loadData(event) } : event
          await handler(complete as never, AbortSignal.any([timeout, ending.signal]))
        })
        return 'done'
      } catch (error) {
        const postponedMs = readPostponed(error)
        if (postponedMs === undefined) callHook(onError, error, event)
        return { ...toHandlerFailure(error), postponedMs }
      } finally {
        clearTimeout(slow)
      }
    })

  async function hold(message: ReceivedMessage, event: WebhookEvent): Promise<void> {
    try {
      const holding = message.hold?.()
      lanes.recheck(getLane(event))
      await holding
    } catch (error) {
      callHook(onError, error, event)
    }
  }

  async function handle(message: ReceivedMessage, event: WebhookEvent, handler: EventHandler<never>) {
    for (let failures = message.failures ?? 0; ;) {
      const result = isStopping() ? 'skipped' : await attempt(message, event, handler)
      if (message.isLost?.()) return
      if (result === 'skipped') return message.release()
      if (result === 'done') return message.ack(true)
      const { error, retryable, retryAfterMs, postponedMs } = result
      if (postponedMs === undefined && (++failures >= attempts || !retryable))
        return moveToDeadLetters(message, error, event)
      const afterMs = postponedMs ?? delayAfter(failures, retryAfterMs)
      if (message.defer) return message.defer({ failures, error, afterMs })
      await pauseFor(afterMs, message)
    }
  }

  async function moveToDeadLetters(message: ReceivedMessage, reason: string, event?: WebhookEvent) {
    for (let failures = 1; !isStopping() && !message.isLost?.(); failures++) {
      try {
        await message.deadLetter(reason)
        callHook(onDeadLetter, reason, event)
        return
      } catch (error) {
        callHook(onError, error, event)
        await pauseFor(delayAfter(failures), message)
      }
    }
  }

  async function consume(message: ReceivedMessage): Promise<void> {
    let event: WebhookEvent
    try {
      event = message.decode()
    } catch {
      // The error is dropped because it may quote the message.
      return moveToDeadLetters(message, 'The message is not an event')
    }
    const handler = findHandler(event.name)
    if (handler === undefined) {
      await message.ack(false)
      return
    }
    if (message.deliveries >= maxDeliveries)
      return moveToDeadLetters(message, `No result after ${message.deliveries} deliveries`, event)
    const hasRun = await runInLane(message, event, handler)
    // Outside of the lane, so that its messages are deferred together.
    if (!hasRun && message.isLost?.() !== true) await message.defer?.()
  }

  function runInLane(message: ReceivedMessage, event: WebhookEvent, handler: EventHandler<never>) {
    // A message that can be deferred leaves the process soon.
    if (message.defer === undefined) behind.add(message)
    // Without an earlier message, the task begins at once.
    return lanes.run(getLane(event), message, () => {
      behind.delete(message)
      return handle(message, event, handler)
    })
  }

  async function settle(message: ReceivedMessage): Promise<void> {
    unsettled.add(message)
    try {
      await consume(message)
    } catch (error) {
      // The bus delivers the message again.
      callHook(onError, error)
    } finally {
      unsettled.delete(message)
      behind.delete(message)
      changes.wake()
    }
  }

  async function receive(): Promise<void> {
    for (let failures = 0; !isStopping();) {
      try {
        await source.open(stopping.signal)
        opened.resolve(undefined)
        while (!isStopping()) {
          const room = maxInFlight + Math.min(behind.size, maxWaiting) - unsettled.size
          if (room <= 0) await changes.pause(maxTimerMs, stopping.signal)
          else for (const message of await source.receive(room, stopping.signal)) void settle(message)
          failures = 0
        }
      } catch (error) {
        if (isStopping()) return
        callHook(onError, error)
        await pauseFor(delayAfter(++failures))
      }
    }
  }

  async function stop(): Promise<void> {
    stopping.abort()
    opened.resolve(undefined)
    const deadline = setTimeout(() => {
      ending.abort(new DOMException('The consumer stops', 'AbortError'))
      changes.wake()
    }, stopTimeoutMs)
    await receiving
    while (unsettled.size > 0 && !ending.signal.aborted) await changes.pause(maxTimerMs, ending.signal)
    clearTimeout(deadline)
    clearInterval(renewing)
    await source.close()
  }

  let stopped: Promise<void> | undefined
  return {
    start() {
      if (receiving === undefined && !isStopping()) {
        receiving = receive()
        if (source.renew && source.renewMs !== undefined)
          renewing = setInterval(() => {
            if (unsettled.size > 0)
              source.renew?.([...unsettled]).catch((error: unknown) => {
                callHook(onError, error)
              })
          }, source.renewMs)
      }
      return opened.promise
    },
    stop: () => (stopped ??= stop()),
  }
}

/** @throws TypeError for a handler that is not a function */
function createLookup(
  handlers: object | EventHandler<WebhookEvent>,
): (name: string) => EventHandler<never> | undefined {
  if (typeof handlers === 'function') return () => handlers as EventHandler<never>
  const byName = new Map(Object.entries<EventHandler<never> | undefined>({ ...handlers }))
  for (const [event, handler] of byName)
    if (typeof handler !== 'function') throw new TypeError(`The handler of ${event} must be a function`)
  return (name) => byName.get(name)
}

const pause = (milliseconds: number, signal: AbortSignal) =>
  sleep(milliseconds, undefined, { signal }).catch(() => undefined)
