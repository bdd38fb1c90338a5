import type { Histogram } from '@opentelemetry/api'
import type { GatewayInbox } from '@sallyport/webhooks'
import type { NameProvider } from './provider-names.ts'

/** An inbox whose `record` is timed. */
export function timedInbox<T extends GatewayInbox>(
  inbox: T,
  nameOf: NameProvider,
  duration: Histogram,
  clock: () => number,
): T {
  const record: GatewayInbox['record'] = async (delivery, options) => {
    const startedAt = clock()
    let outcome = 'failed'
    try {
      const result = await inbox.record(delivery, options)
      outcome = 'recorded'
      return result
    } finally {
      duration.record((clock() - startedAt) / 1000, { provider: nameOf(delivery.provider), outcome })
    }
  }
  // Everything else is the inbox's own, whether it is a plain object or of a class with private members. A proxy of the
  // inbox itself could not answer for one that is frozen.
  return new Proxy(
    { ...inbox },
    {
      get(_, name) {
        if (name === 'record') return record
        const member: unknown = Reflect.get(inbox, name, inbox)
        return typeof member === 'function' ? (member.bind(inbox) as unknown) : member
      },
    },
  )
}
