import type { WebhookEvent, Publisher } from '@sallyport/webhooks'

/** A bus of a third party that stores each event id once. */
export interface ListBus extends Publisher {
  readonly events: readonly WebhookEvent[]
}

export function listBus(): ListBus {
  const events = new Map<string, WebhookEvent>()
  return {
    get events() {
      return [...events.values()]
    },
    async publish(batch, signal) {
      signal.throwIfAborted()
      await Promise.resolve()
      return batch.map((event) => {
        const duplicate = events.has(event.id)
        if (!duplicate) events.set(event.id, event)
        return { ok: true, duplicate }
      })
    },
  }
}
