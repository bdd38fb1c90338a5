import type { InternalEvent, TraceContext } from '@sallyport/webhooks'
import { unescapeText } from './text.ts'

/** The columns that an event is put together from, whatever the engine. */
export interface EventRow {
  readonly id: string
  readonly name: string
  readonly subject: string
  readonly ts: number
  readonly data: string | null
  readonly manual: number
  readonly trace: string | null
  readonly delivery: string
  readonly provider: string
  readonly received_at: number
}

/**
 * @throws SyntaxError when its data or its trace is no JSON; the message quotes it, and is for nobody
 */
export function toEvent(row: EventRow): InternalEvent {
  return {
    id: unescapeText(row.id),
    name: unescapeText(row.name),
    subject: unescapeText(row.subject),
    ts: row.ts,
    data: row.data === null ? undefined : (JSON.parse(row.data) as unknown),
    source: {
      provider: unescapeText(row.provider),
      deliveryId: unescapeText(row.delivery),
      receivedAt: row.received_at,
      ...(row.manual === 1 && { manual: true }),
    },
    ...(row.trace !== null && { trace: JSON.parse(row.trace) as TraceContext }),
  }
}

/** For those who look at it: without what cannot be read. */
export function toShownEvent(row: EventRow): InternalEvent {
  try {
    return toEvent(row)
  } catch {
    return toEvent({ ...row, data: null, trace: null })
  }
}
