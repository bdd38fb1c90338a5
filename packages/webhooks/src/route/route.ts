import { checkFunctions, integerOption, timerOption } from '@sallyport/internal/options'
import { describeFailure } from '@sallyport/internal/describe-failure'
import type { WebhookEvent } from '../ports/event.ts'
import type { Publisher, PublishResult } from '../ports/ports.ts'
import { createNameFilter } from '@sallyport/internal/name-filter'
import { createEventRedactor, publishRedacted, type EventRedactor } from '../redaction/redact-publisher.ts'
import { combineResults, createProgressMemory, listRemaining } from './progress.ts'
import { createTarget, type Target } from './target.ts'

/** A publisher and the events for it. An event has to meet all conditions. */
export interface EventRoute {
  /** The name of the publisher, such as `kafka`: in errors, and for its outages. */
  readonly name: string
  readonly publisher: Publisher
  /** Names such as `github/push`, `github/pull_request.*` and `github/*`. @default all events */
  readonly events?: readonly string[]
  /** The ids of the endpoints. @default all endpoints, and the address without an endpoint */
  readonly endpoints?: readonly string[]
  /** Returns whether the event is for the publisher. An event for which it throws is retried. @default all events */
  readonly when?: (event: WebhookEvent) => boolean
  /** Paths of values that the publisher does not receive; see `redactPublisher`. @default none */
  readonly redact?: readonly string[]
}

export interface RouteOptions {
  /** Whether an event without a route becomes a dead letter, or is done. @default 'refuse' */
  readonly unrouted?: 'refuse' | 'ignore'
  /**
   * Timeout of each publisher for one batch, in milliseconds. It must be less than nine tenths of the dispatcher's `timeoutMs`,
   * so that the results of the other publishers are settled.
   *
   * @default 4,000
   */
  readonly timeoutMs?: number
  /**
   * The number of events in memory that some of their publishers have. Beyond it, and after a restart, a retried event is
   * published again to all of its publishers.
   *
   * @default 10,000
   */
  readonly memoryEvents?: number
}

/**
 * Creates a publisher that sends each event to all publishers whose conditions it meets. An event is done when all of them
 * have it.
 *
 * A failed event is retried only at the publishers that do not have it yet, as long as this process remembers the event.
 * Otherwise it is published again under the same id. Publishers are called at the same time. A publisher that is slow or
 * unavailable fails its own events only. One that does not answer delays the others once, for half of `timeoutMs`.
 *
 * A publisher in several routes gets an event once, without the values at the paths of all of them.
 *
 * @throws TypeError without a route, for an invalid pattern or path, for a name of two publishers, and for an option out of range
 *
 * @example
 * ```ts
 * import { createDispatcher, createMemoryBus, createMemoryInbox, route, type Publisher } from '@sallyport/webhooks'
 *
 * declare const kafka: Publisher
 *
 * const publisher = route([
 *   { name: 'kafka', publisher: kafka, events: ['github/*', 'stripe/invoice.*'] },
 *   { name: 'memory', publisher: createMemoryBus() },
 * ])
 * const dispatcher = createDispatcher({ inbox: createMemoryInbox(), publisher })
 * ```
 */
export function route(routes: readonly EventRoute[], options: RouteOptions = {}): Publisher {
  const { unrouted = 'refuse' } = options
  const timeoutMs = timerOption('timeoutMs', options.timeoutMs ?? 4000)
  const memory = createProgressMemory(integerOption('memoryEvents', options.memoryEvents ?? 10_000, 0))
  const findTargets = createTargetFinder(routes, timeoutMs)

  function plan(event: WebhookEvent): Plan {
    // A publisher may have the event, and its condition may need the data that a reference replaces.
    const known = memory.get(event.id)
    if (known !== undefined) return { event, progress: new Map(known) }
    try {
      const targets = findTargets(event)
      if (targets.length > 0)
        return { event, progress: new Map(targets.map((target) => [target, undefined])) }
      return { event, result: unrouted === 'ignore' ? ignored : refused }
    } catch (error) {
      const reason = `A condition failed: ${describeFailure(error)}`
      return { event, result: { ok: false, retryable: true, error: reason, targets: [] } }
    }
  }

  return {
    async publish(events, signal) {
      signal.throwIfAborted()
      const plans = events.map(plan)
      await Promise.all(
        Array.from(groupByTarget(plans), async ([target, batch]) => {
          const hasFailed = batch.some(({ progress }) => progress.get(target) !== undefined)
          const given = batch.map(({ event }) => event)
          const results = await target.publish(given, signal, hasFailed)
          for (const [position, { progress }] of batch.entries()) progress.set(target, results[position])
        }),
      )
      return plans.map(({ event, progress, result }) => {
        if (progress === undefined) return result
        const before = memory.get(event.id)
        memory.set(event.id, progress)
        return combineResults(progress, before)
      })
    },
  }
}

/** The targets of an event, or the result for an event without targets. */
type Plan =
  PlannedEvent | { readonly event: WebhookEvent; readonly progress?: never; readonly result: PublishResult }

interface PlannedEvent {
  readonly event: WebhookEvent
  readonly progress: Map<Target, PublishResult | undefined>
  readonly result?: never
}

const ignored: PublishResult = { ok: true, targets: [] }
const refused: PublishResult = { ok: false, retryable: false, error: 'No route for events of this name' }

/** Creates the function that lists the targets of an event. A publisher in several routes is one target. */
function createTargetFinder(
  routes: readonly EventRoute[],
  timeoutMs: number,
): (event: WebhookEvent) => readonly Target[] {
  if (routes.length === 0) throw new TypeError('routes must have an entry')
  const targets = new Map<Publisher, Target>()
  const conditions = routes.map((one, index): Condition => {
    checkFunctions(`The publisher of the route ${one.name}`, one.publisher, 'publish')
    const target = targets.get(one.publisher) ?? createTarget(one.name, one.publisher, timeoutMs)
    if (!targets.has(one.publisher) && [...targets.values()].some(({ name }) => name === one.name))
      throw new TypeError(`Two publishers have the name ${one.name}: one would hide the outage of the other`)
    targets.set(one.publisher, target)
    return {
      ...{ index, target, matches: createCondition(one) },
      redactor: one.redact && createEventRedactor(one.redact),
    }
  })
  const redactTarget = createTargetRedactor()
  return (event) => {
    const byTarget = Map.groupBy(
      conditions.filter(({ matches }) => matches(event)),
      ({ target }) => target,
    )
    return Array.from(byTarget, ([target, matched]) => redactTarget(target, matched))
  }
}

interface Condition {
  readonly index: number
  readonly target: Target
  readonly matches: (event: WebhookEvent) => boolean
  readonly redactor: EventRedactor | undefined
}

/** The same conditions give the same target, so that a retry has the result of the attempt before. */
function createTargetRedactor(): (target: Target, matched: readonly Condition[]) => Target {
  const known = new Map<string, Target>()
  return (target, matched) => {
    const redacting = matched.filter(({ redactor }) => redactor !== undefined)
    if (redacting.length === 0) return target
    const key = redacting.map(({ index }) => index).join()
    const redactors = redacting.flatMap(({ redactor }) => redactor ?? [])
    const publish: Target['publish'] = (...given) => target.publish(...given)
    const redacted = known.get(key) ?? { ...target, publish: publishRedacted(publish, redactors) }
    known.set(key, redacted)
    return redacted
  }
}

function createCondition({ events, endpoints, when }: EventRoute): (event: WebhookEvent) => boolean {
  const isNamed = events === undefined ? () => true : createNameFilter(events)
  const ids = endpoints === undefined ? undefined : new Set<string | undefined>(endpoints)
  return (event) =>
    isNamed(event.name) &&
    (ids === undefined || ids.has(event.source.endpoint)) &&
    (when === undefined || when(event))
}

/** Groups the events by the targets that they are published to now. */
function groupByTarget(plans: readonly Plan[]): ReadonlyMap<Target, readonly PlannedEvent[]> {
  const batches = new Map<Target, PlannedEvent[]>()
  for (const planned of plans) {
    if (planned.progress === undefined) continue
    for (const target of listRemaining(planned.event, planned.progress)) {
      const batch = batches.get(target) ?? []
      batch.push(planned)
      batches.set(target, batch)
    }
  }
  return batches
}
