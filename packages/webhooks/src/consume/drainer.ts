import { maxTimerMs, runWithTimeout } from '@sallyport/internal/deadline'
import { checkFunctions, integerOption, timerOption } from '@sallyport/internal/options'
import { callHook } from '@sallyport/internal/promises'
import type { Attempt } from '../dispatch/attempt.ts'
import type { BackoffOptions } from '../dispatch/backoff.ts'
import { createBatcher } from '../dispatch/batcher.ts'
import { publishWithReferences, type DataReferenceOptions } from '../dispatch/data-reference.ts'
import {
  createOutcomeFunction,
  mapAnswers,
  noAnswer,
  toFailure,
  type Answers,
  type AttemptResult,
  type Failure,
} from '../dispatch/outcome.ts'
import { fromQueued } from '../dispatch/queued-event.ts'
import type { WebhookEvent } from '../ports/event.ts'
import type { ClaimedWork, DrainerInbox, ForwardFailure, Publisher, Settlement } from '../ports/ports.ts'
import type { Consumer, ConsumerOptions } from './consumer.ts'

export interface DrainerOptions extends DataReferenceOptions {
  /** Creates the consumer of the shared queue, such as `(options) => nats.consumer({ stream: 'QUEUE', ...options })`. */
  readonly consumer: (options: ConsumerOptions) => Consumer
  /** The bus. */
  readonly publisher: Publisher
  /**
   * The inbox that recorded the events; the drainer settles them there. Omit the inbox only for a queue that no dispatcher
   * fills: otherwise each event is enqueued again after `redeliverAfterMs`, without end. Without an inbox, the drainer creates
   * no dead letters: it retries an event until the event is published.
   */
  readonly inbox?: DrainerInbox
  /** The maximum number of events in memory. @default 100 */
  readonly maxInFlight?: number
  /** The timeout of an attempt, in milliseconds. @default 5,000 */
  readonly timeoutMs?: number
  /** How long `stop` waits for running attempts, in milliseconds. @default the timeout of an attempt */
  readonly stopTimeoutMs?: number
  /** The delays between attempts; 20 seconds at most, unless the bus asks for more. */
  readonly backoff?: BackoffOptions
  /** Called for each settled attempt. */
  readonly onAttempt?: (attempt: Attempt) => unknown
  /** Called with errors of the queue and the inbox; the drainer continues. */
  readonly onError?: (error: unknown) => unknown
  /** Milliseconds since the epoch. @default Date.now */
  readonly now?: () => number
  /** From 0 up to 1. @default Math.random */
  readonly random?: () => number
}

/** The longest delay after an attempt, so that everything is published soon after the end of an outage. */
const longestWaitMs = 20_000

/** An attempt failed and is reported; the consumer tries again after the delay. */
class DrainError extends Error {
  override readonly name = 'DrainError'
  readonly retryAfterMs: number

  constructor(message: string, retryAfterMs: number) {
    super(message)
    this.retryAfterMs = retryAfterMs
  }
}

/**
 * Creates the drainer of a shared queue: a consumer that publishes the events on the bus under the same names and ids, and
 * settles them in the inbox. After a crash in between, another process publishes them again under the same ids; a bus that
 * deduplicates stores them once.
 *
 * Events that arrive together are published in one batch. Events of one subject are published one after the other. A failed
 * event stays in the process and is retried, and the inbox stores the reason. After a final failure, or a day after it was
 * recorded, the event becomes a dead letter of the inbox, which can be replayed. While `maxInFlight` events wait, the drainer
 * receives no others.
 *
 * @throws TypeError without a publisher, for an incomplete inbox, and for a number that is out of range
 *
 * @example
 * ```ts
 * import { openNats } from '@sallyport/buses/nats'
 * import { createDispatcher, createDrainer, createMemoryInbox } from '@sallyport/webhooks'
 *
 * const nats = openNats({ url: 'nats://127.0.0.1:4222' })
 * const inbox = createMemoryInbox()
 * const bus = nats.bus()
 * const queue = { stream: 'SALLYPORT_QUEUE', workQueue: true }
 * const dispatcher = createDispatcher({ inbox, publisher: bus, queue: nats.bus(queue) })
 * const drainer = createDrainer({
 *   consumer: (options) => nats.consumer({ ...options, ...queue }),
 *   publisher: bus,
 *   inbox,
 * })
 * await drainer.start()
 * ```
 */
export function createDrainer(options: DrainerOptions): Consumer {
  // eslint-disable-next-line no-restricted-properties -- the default of an option
  const { publisher, inbox, backoff, now = Date.now, random = Math.random, onAttempt, onError } = options
  checkFunctions('publisher', publisher, 'publish')
  if (inbox !== undefined) checkFunctions('inbox', inbox, 'forwarded', 'abandoned', 'postponed')
  const maxInFlight = integerOption('maxInFlight', options.maxInFlight ?? 100, 1)
  const timeoutMs = timerOption('timeoutMs', options.timeoutMs ?? 5000)
  const publish = publishWithReferences(
    (events, signal) => publisher.publish(events, signal),
    options.dataref,
  )
  const getOutcome = createOutcomeFunction({
    ...{ now, random, onError, longestWaitMs },
    // Dead letters need an inbox.
    backoff: inbox ? backoff : { ...backoff, giveUpAfterMs: Infinity },
  })
  const attempts = new WeakMap<WebhookEvent, number>()

  async function ask(events: readonly WebhookEvent[]): Promise<{ answers: Answers; failure: Failure }> {
    try {
      const answers = await runWithTimeout(timeoutMs, (signal) => publish(events, signal))
      return { answers: inbox ? answers : mapAnswers(answers, toRetryable), failure: noAnswer }
    } catch (error) {
      return { answers: undefined, failure: toFailure(error) }
    }
  }

  async function attempt(works: readonly ClaimedWork[]): Promise<readonly Settlement['outcome'][]> {
    const { answers, failure } = await ask(works.map(({ event }) => event))
    const outcomes = works.map((work, index) => getOutcome(work, answers, index, failure))
    // The inbox settles before the queue removes: a crash in between publishes an event again and loses none.
    if (inbox) await settle(inbox, works, outcomes, onError)
    for (const [index, { event, attempts: before }] of works.entries()) {
      const outcome = outcomes[index]
      if (outcome) callHook(onAttempt, { work: 'publish', event, attempts: before + 1, outcome })
    }
    return outcomes
  }

  const attemptTogether = createBatcher(attempt)

  async function handle(received: WebhookEvent): Promise<void> {
    const before = attempts.get(received) ?? 0
    attempts.set(received, before + 1)
    const work: ClaimedWork = { ...fromQueued(received, now()), route: 'queue', attempts: before, lease: '' }
    // An event that failed is alone, so that it does not fail the others again.
    const outcome = before === 0 ? await attemptTogether(work) : (await attempt([work]))[0]
    if (outcome?.status === 'retry') throw new DrainError(outcome.error, outcome.afterMs)
  }

  return options.consumer({
    ...{ name: 'drainer', handlers: handle, concurrency: maxInFlight, maxInFlight, maxWaiting: 0, random },
    // The outcome decides when an event is given up.
    ...{ attempts: Number.MAX_SAFE_INTEGER, maxDeliveries: Number.MAX_SAFE_INTEGER },
    backoff: { maximumMs: longestWaitMs },
    // The inbox has as long as the bus.
    ...{ timeoutMs: Math.min(3 * timeoutMs, maxTimerMs), stopTimeoutMs: options.stopTimeoutMs ?? timeoutMs },
    onError(error) {
      if (!(error instanceof DrainError)) callHook(onError, error)
    },
    onDeadLetter(reason) {
      callHook(onError, new TypeError(`A message of the shared queue was dropped: ${reason}`))
    },
  })
}

const toRetryable = (result: AttemptResult): AttemptResult =>
  result.ok ? result : { ...result, retryable: true }

/** Settles attempts in the inbox. Failures that are retried are stored for operators only: the retry does without them. */
async function settle(
  inbox: DrainerInbox,
  works: readonly ClaimedWork[],
  outcomes: readonly Settlement['outcome'][],
  onError: DrainerOptions['onError'],
): Promise<void> {
  const forwarded: string[] = []
  const duplicates: string[] = []
  const abandoned: ForwardFailure[] = []
  const postponed: ForwardFailure[] = []
  for (const [index, outcome] of outcomes.entries()) {
    const id = works[index]?.event.id ?? ''
    if (outcome.status === 'done') {
      forwarded.push(id)
      if (outcome.duplicate === true) duplicates.push(id)
    } else if (outcome.status === 'dead') abandoned.push({ id, error: outcome.error })
    else if (outcome.status === 'retry') postponed.push({ id, error: outcome.error })
  }
  if (forwarded.length > 0) await inbox.forwarded(forwarded, { duplicates })
  if (abandoned.length > 0) await inbox.abandoned(abandoned)
  if (postponed.length === 0) return
  await inbox.postponed(postponed).catch((error: unknown) => {
    callHook(onError, error)
  })
}
