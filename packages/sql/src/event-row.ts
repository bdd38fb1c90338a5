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
 * @throws SyntaxError when its data is no JSON; the message quotes it, and is for nobody
 */
export function toEvent(row: EventRow): InternalEvent {
  const trace = readTrace(row.trace)
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
    ...(trace && { trace }),
  }
}

/** For those who look at it: without what cannot be read. */
export function toShownEvent(row: EventRow): InternalEvent {
  try {
    return toEvent(row)
  } catch {
    return toEvent({ ...row, data: null })
  }
}

/** None where it cannot be read: an event is none the less for it. */
function readTrace(json: string | null): TraceContext | undefined {
  if (json === null) return undefined
  try {
    const trace = JSON.parse(json) as Partial<TraceContext> | null
    return typeof trace?.traceparent === 'string' ? (trace as TraceContext) : undefined
  } catch {
    return undefined
  }
}
