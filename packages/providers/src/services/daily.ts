import { base64Secret, defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'
import { fixedHandshake } from '@sallyport/webhooks/handshakes'
import { eitherTime } from '../either-time.ts'

/** Daily: webhooks of a domain. */
export const daily = defineService({
  name: 'daily',
  createsSecret: true,
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'base64',
    header: 'x-webhook-signature',
    key: base64Secret(),
    timestamp: eitherTime({ header: 'x-webhook-timestamp' }),
    content: ({ timestamp, body }) => [timestamp, '.', body],
  }),
  kind: 'type',
  // The id of a call's event has its session and type, which another event can repeat.
  ignore: ['event_ts'],
  subject: ['payload.room', 'payload.room_name'],
  time: 'event_ts',
  handshake: fixedHandshake({ when: { json: { test: 'test' } } }),
})

export const facts: ServiceFacts = {
  title: 'Daily',
  docs: 'https://docs.daily.co/reference/rest-api/webhooks',
  confidence: 'secondary',
  checked: '2026-11',
  sources: [
    'https://docs.daily.co/reference/rest-api/webhooks',
    'https://docs.daily.co/reference/rest-api/webhooks/create',
    'https://docs.daily.co/reference/rest-api/webhooks/events/dialout-answered',
  ],
  setup: [
    'Create a webhook with the address with `POST https://api.daily.co/v1/webhooks`. Daily sends `{"test":"test"}` to the address at once.',
    'The secret is `hmac` of the response, which is base64.',
  ],
  retries: 'as `retryType` of the webhook says: `circuit-breaker`, which is the default, or `exponential`',
  traps: [
    'The unit of the signed time is not confirmed: seconds and milliseconds are accepted.',
    '`event_ts` is the time when Daily sent the event, and the payload has the time of the event itself.',
    '`id` can be the type and the session of a call: the whole body without `event_ts` identifies an event.',
  ],
}
