import { z } from 'zod'
import { optionalFlag, optionalText, text, textAt } from '../fields.ts'
import { optionalSeconds, optionalTime } from '../time.ts'

/** What happened to which object, however the service told it. */
export interface Happening {
  /** The id of the event; the same for both forms that the service tells one happening in. */
  readonly id: string
  readonly live: boolean | null
  readonly account_id: string | null
  readonly occurred_at: string | null
  readonly thin: boolean
  /** The object, of which a thin event tells only the id. */
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
  .transform((event): Happening => ({
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
  .transform((event): Happening => ({
    id: event.snapshot_event ?? event.id,
    live: event.livemode,
    account_id: event.context,
    occurred_at: event.created,
    thin: true,
    object: { id: event.related_object.id },
  }))

/**
 * The type of an event, as snapshots name it.
 *
 * Thin events of objects of the API's first version have the same types behind `v1.`.
 */
export function typeOf(payload: unknown): string | undefined {
  const type = textAt(payload, 'type')
  if (!isThin(payload)) return type
  return type?.startsWith('v1.') === true ? type.slice('v1.'.length) : undefined
}

/**
 * Reads a snapshot, which holds the object as it was, or a thin event, which names it.
 *
 * @see https://docs.stripe.com/api/events/object
 * @see https://docs.stripe.com/api/v2/core/events/object
 */
export const happeningOf = (payload: unknown): Happening => (isThin(payload) ? thin : snapshot).parse(payload)

const isThin = (payload: unknown): boolean => textAt(payload, 'object') === 'v2.core.event'
