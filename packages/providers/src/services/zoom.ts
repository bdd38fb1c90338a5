import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'
import { zoomHandshake } from '@sallyport/webhooks/handshakes'
import { eitherTime } from '../either-time.ts'

/** Zoom: webhooks of an app. */
export const zoom = defineService({
  name: 'zoom',
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: 'x-zm-signature',
    prefix: 'v0=',
    timestamp: eitherTime({ header: 'x-zm-request-timestamp', toleranceSeconds: 300 }),
    content: ({ timestamp, body }) => ['v0:', timestamp, ':', body],
  }),
  kind: 'event',
  id: ['payload.account_id', 'payload.object.uuid', 'event_ts'],
  subject: ['payload.account_id', 'payload.object.id'],
  time: 'event_ts',
  handshake: zoomHandshake(),
})

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'Zoom',
  docs: 'https://developers.zoom.us/docs/api/webhooks/',
  confidence: 'primary',
  setup: [
    'Open the app in the Zoom Marketplace, Features, Event subscriptions, and enter the address.',
    'The secret is the secret token of the app.',
    'Validate the address there: Zoom repeats the check every 72 hours.',
  ],
  traps: ['The signed time is in seconds, and in milliseconds for some events: both are accepted.'],
}
