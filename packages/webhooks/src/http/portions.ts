import type { InternalEvent } from '../ports/event.ts'
import type { HttpMessage } from './format.ts'

/** An event on its way, and its place in the batch. */
export interface Part {
  readonly index: number
  readonly event: InternalEvent
  readonly message: HttpMessage
  readonly bytes: number
}

/** What one request may hold. */
export interface PortionLimits {
  readonly bytes: number
  readonly events: number
}

/** Parts in their order, as few requests as the limits allow; what is too large goes alone. */
export function portionsOf(parts: readonly Part[], limits: PortionLimits): Part[][] {
  const portions: Part[][] = []
  let bytes = 0
  for (const part of parts) {
    const last = portions.at(-1)
    // One byte more for what parts it from the next.
    bytes += part.bytes + 1
    if (last !== undefined && last.length < limits.events && bytes < limits.bytes) last.push(part)
    else {
      portions.push([part])
      bytes = part.bytes + 2
    }
  }
  return portions
}

/** Both halves of what was too much, or of what one event has spoilt. */
export function halvesOf(parts: readonly Part[]): Part[][] {
  const middle = Math.ceil(parts.length / 2)
  return [parts.slice(0, middle), parts.slice(middle)].filter(({ length }) => length > 0)
}
