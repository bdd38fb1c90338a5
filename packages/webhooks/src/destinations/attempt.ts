import { isSallyportError } from '@sallyport/errors'
import { describeFailure } from '@sallyport/internal/describe-failure'
import { callHook } from '@sallyport/internal/promises'
import { retryDelay } from '../dispatch/backoff.ts'
import type { Destination, DestinationMessage, DestinationResult } from '../ports/destination.ts'
import type { WebhookEvent } from '../ports/event.ts'
import type { AttemptResponse, ClaimedWork, Settlement, StoredRequest } from '../ports/ports.ts'
import type { MessageRedactor } from '../redaction/redact-message.ts'
import { runUntilEnd, type Ending } from '../run/ending.ts'
import { redacted } from '../schemes/redact.ts'
import type { BodyBudget } from './body-budget.ts'
import { pausedMs } from './gate.ts'
import { createOriginalId, type OriginalData } from './fan-out.ts'
import { toRowEvent } from './row-event.ts'

type Outcome = Settlement['outcome']

interface AttemptOptions {
  readonly bodies: BodyBudget
  readonly getRequest: (delivery: string) => Promise<StoredRequest | undefined>
  readonly redact: MessageRedactor | undefined
  readonly onResult: (result: DestinationResult) => void
  readonly onError: (error: unknown) => unknown
  readonly now: () => number
  readonly random: () => number
}

/** Sends the event of a row to its destination. */
export type DestinationAttempt = (work: ClaimedWork, ending: Ending) => Promise<Outcome | 'ended'>

const defaultTimeoutMs = 30_000
const hourMs = 3_600_000
/** After how long an event is sent whose delivery cannot be read, in milliseconds. */
const unreadMs = 1000

/** The longest delay between two attempts, in milliseconds. */
export const longestDelayMs = ({ retryDelaysMs = [] }: Destination): number =>
  Math.max(hourMs, ...retryDelaysMs)

export const timeoutOf = ({ timeoutMs = defaultTimeoutMs }: Destination): number => timeoutMs

export function createDestinationAttempt(
  destination: Destination,
  options: AttemptOptions,
): DestinationAttempt {
  const { bodies, getRequest, redact, onResult, onError, now, random } = options

  async function send(message: DestinationMessage, ending: Ending): Promise<DestinationResult | 'ended'> {
    const startedAt = now()
    try {
      return await runUntilEnd(timeoutOf(destination), ending, (signal) => destination.send(message, signal))
    } catch (error) {
      if (ending.hasEnded()) return 'ended'
      const durationMs = now() - startedAt
      return { outcome: 'retry', error: describeFailure(error), unavailable: true, durationMs }
    }
  }

  /** Returns the delay before the next attempt; undefined after the last one. */
  function getDelay({ attempts, since }: ClaimedWork, retryAfterMs = 0): number | undefined {
    const { retryDelaysMs } = destination
    if (retryDelaysMs === undefined) return retryDelay(attempts, now() - since, random, {}, retryAfterMs)
    const delayMs = retryDelaysMs[attempts]
    return (
      delayMs && Math.max(delayMs * (1 + random() / 10), Math.min(retryAfterMs, longestDelayMs(destination)))
    )
  }

  function toOutcome(work: ClaimedWork, result: DestinationResult): Outcome {
    const { outcome, error = 'The destination did not accept the message', retryAfterMs } = result
    if (outcome === 'done') return { status: 'done' }
    const response = toResponse(result)
    const targets = [targetOf(destination.name)]
    // A resumed destination does not wait for the delay.
    if (outcome === 'gone') return { status: 'retry', afterMs: pausedMs, error, response, targets }
    const afterMs = outcome === 'dead' ? undefined : getDelay(work, retryAfterMs)
    if (afterMs === undefined) return { status: 'dead', error, response }
    // The event does not wait for its delay when the destination is available again.
    const waits = result.unavailable === true && retryAfterMs === undefined
    return {
      status: 'retry',
      afterMs,
      error,
      response,
      ...(waits && { targets }),
    }
  }

  async function finish(
    work: ClaimedWork,
    message: DestinationMessage,
    ending: Ending,
  ): Promise<Outcome | 'ended'> {
    const given = redact ? await redact(message) : message
    if (given === undefined) return withoutPlaces
    const result = await send(given, ending)
    if (result === 'ended') return result
    onResult(result)
    return toOutcome(work, result)
  }

  return async (work, ending) => {
    if (ending.hasEnded()) return 'ended'
    const { maxAgeMs = Infinity } = destination
    if (now() - work.since > maxAgeMs)
      return {
        status: 'dead',
        error: `The event is older than the maximum age of the destination, ${maxAgeMs} ms`,
      }
    const event = toRowEvent(work.event).event
    const original = readOriginal(event)
    if (destination.mode === 'event')
      return original ? withoutData : await finish(work, toMessage(work, [event]), ending)
    const { deliveryId } = event.source
    const read = () =>
      getRequest(deliveryId).catch((error: unknown) => {
        callHook(onError, error)
        // A changed body stays unreadable. A missing key, database or store may come back.
        const isLost = isSallyportError(error) && changed.has(error.code)
        return isLost ? undefined : ('unreadable' as const)
      })
    return await bodies.hold(read, async (request) => {
      if (ending.hasEnded()) return 'ended'
      if (request === 'unreadable') return { status: 'released', afterMs: unreadMs }
      if (request === undefined)
        return { status: 'dead', error: 'The request of the delivery is no longer stored, or not readable' }
      const { headers, query, body } = request
      const kept = Object.entries(headers).filter(([, value]) => value !== redacted)
      const message = toMessage(work, original ? listEvents(event, original) : [event])
      return await finish(
        work,
        { ...message, request: { headers: Object.fromEntries(kept), query, body } },
        ending,
      )
    })
  }
}

const changed: ReadonlySet<string> = new Set(['DECRYPTION_FAILED', 'BODY_CHANGED'])

const withoutData = {
  status: 'dead',
  error:
    'The event was recorded for the mode original, without its data: change the mode back, then replay it',
} as const

const withoutPlaces = {
  status: 'dead',
  error:
    'The body was not sent: it is neither the JSON nor the form that its provider parses, so redact finds no values',
} as const

const toMessage = (work: ClaimedWork, events: readonly WebhookEvent[]): DestinationMessage => ({
  ...{ deliveryId: work.event.source.deliveryId, events, attempt: work.attempts + 1 },
})

const toResponse = ({ status, durationMs, response: body }: DestinationResult): AttemptResponse => ({
  ...(status !== undefined && { status }),
  durationMs,
  ...(body !== undefined && { body }),
})

/** The name by which events wait for a destination; see `makeDue`. */
export const targetOf = (name: string): string => `>${name}`

/** Data that may be those of a row in original mode. */
interface Unread {
  readonly events?: readonly (Partial<OriginalData['events'][number]> | null)[]
}

/** Returns the events of a row that was recorded in original mode. The mode of its destination can have changed since. */
function readOriginal({ name, subject, data }: WebhookEvent): OriginalData['events'] | undefined {
  const { events, ...others } = (data ?? {}) as Unread
  const isList: boolean = Array.isArray(events)
  if (!isList || events === undefined || Object.keys(others).length > 0) return undefined
  const isOriginal = events[0]?.name === name && events[0].subject === subject
  const isComplete = isOriginal && events.every((one) => typeof one?.id === 'string')
  return isComplete ? (events as OriginalData['events']) : undefined
}

/** Lists the events of a row in original mode. A replay as new gave the row another id: its events have others too. */
function listEvents(row: WebhookEvent, events: OriginalData['events']): readonly WebhookEvent[] {
  const isReplayed = row.id !== createOriginalId(events.map(({ id }) => id))
  const renamed = (index: number) => (events.length === 1 ? row.id : `${row.id}:${index + 1}`)
  return events.map((event, index) => ({
    ...row,
    ...event,
    ...(isReplayed && { id: renamed(index) }),
    data: undefined,
  }))
}
