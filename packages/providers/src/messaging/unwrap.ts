import { textAt } from '../fields.ts'

/** The service's name for what happened, and its event. */
export interface Unwrapped {
  readonly type: string | undefined
  readonly event: unknown
}

/** A rule sends the event itself; an application sends it as the `payload` beside its own name for it. */
export function unwrap(payload: unknown): Unwrapped {
  const type = textAt(payload, 'type')
  return isWrapped(payload) ? { type, event: payload.payload } : { type, event: payload }
}

const isWrapped = (payload: unknown): payload is { readonly payload: unknown } =>
  typeof payload === 'object' && payload !== null && 'payload' in payload && !('conversation' in payload)
