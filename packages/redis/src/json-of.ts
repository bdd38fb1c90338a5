import type { InternalEvent } from '@sallyport/webhooks'

/** An event as JSON; undefined when it cannot be written so. The reason is not kept: it may quote the data. */
export function jsonOf(event: InternalEvent): string | undefined {
  try {
    return JSON.stringify(event)
  } catch {
    return undefined
  }
}
