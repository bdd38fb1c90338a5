import { defineService, parseJson, sharedToken, type Service } from '@sallyport/webhooks'

const prefix = 'x-goog-'
const names = [
  'channel-id',
  'channel-expiration',
  'resource-id',
  'resource-uri',
  'resource-state',
  'changed',
  'message-number',
] as const

/**
 * Defines a service that sends notifications of a Google channel. The headers are the whole message, so that the event has
 * their values: `x-goog-resource-state` is `resource_state`. A body becomes `body`.
 */
export function defineGoogleChannel<const Name extends string>(name: Name): Service<Name> {
  const service = defineService({
    name,
    signature: sharedToken({ header: 'x-goog-channel-token' }),
    parse: (body, integers) => (body.length === 0 ? null : parseJson(body, integers)),
    kind: { header: 'x-goog-resource-state' },
    id: [{ header: 'x-goog-channel-id' }, { header: 'x-goog-message-number' }],
    subject: { header: 'x-goog-resource-id' },
  })
  return {
    ...service,
    normalize(delivery) {
      const { headers, payload } = delivery
      // The first message of a channel announces the channel.
      if (headers.get('x-goog-resource-state') === 'sync') return []
      const values = names.flatMap((one) => {
        const value = headers.get(prefix + one)
        return value === null ? [] : [[one.replaceAll('-', '_'), value] as const]
      })
      const data = { ...Object.fromEntries(values), ...(payload !== null && { body: payload }) }
      return service.normalize(delivery).map((event) => ({ ...event, data }))
    },
  }
}
