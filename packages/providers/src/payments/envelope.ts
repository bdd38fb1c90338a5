import * as z from 'zod'
import { optionalFlag, optionalText, text, readText } from '../fields.ts'
import { optionalSeconds, optionalTime } from '../time.ts'

/** The common content of snapshot and thin events. */
export interface PaymentsEvent {
  /** The id of the event, equal for both forms of the same event. */
  readonly id: string
  readonly live: boolean | null
  readonly account_id: string | null
  readonly occurred_at: string | null
  readonly thin: boolean
  /** The object; for a thin event only its id. */
  readonly object: Readonly<Record<string, unknown>>
}

const snapshot = z
  .object({
    id: text,
    created: optionalSeconds,
    livemode: optionalFlag,
    account: optionalText,
    data: z.object({ object: z.record(z.string(), z.unknown()) }),
  })
  .transform((event): PaymentsEvent => ({
    id: event.id,
    live: event.livemode,
    account_id: event.account,
    occurred_at: event.created,
    thin: false,
    object: event.data.object,
  }))

const thin = z
  .object({
    id: text,
    created: optionalTime,
    livemode: optionalFlag,
    context: optionalText,
    snapshot_event: optionalText,
    related_object: z.object({ id: text }),
  })
  .transform((event): PaymentsEvent => ({
    id: event.snapshot_event ?? event.id,
    live: event.livemode,
    account_id: event.context,
    occurred_at: event.created,
    thin: true,
    object: { id: event.related_object.id },
  }))

/**
 * The type of an event as in snapshots.
 *
 * Thin events about objects of API v1 have the same types with the prefix `v1.`.
 */
export function getEventType(payload: unknown): string | undefined {
  const type = readText(payload, 'type')
  if (!isThin(payload)) return type
  return type?.startsWith('v1.') === true ? type.slice('v1.'.length) : undefined
}

/**
 * Parses a snapshot, which contains the object, or a thin event, which references it.
 *
 * @see https://docs.stripe.com/api/events/object
 * @see https://docs.stripe.com/api/v2/core/events/object
 */
export const parseEvent = (payload: unknown): PaymentsEvent =>
  (isThin(payload) ? thin : snapshot).parse(payload)

const isThin = (payload: unknown): boolean => readText(payload, 'object') === 'v2.core.event'
