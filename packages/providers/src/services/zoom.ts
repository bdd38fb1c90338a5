import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'
import { zoomHandshake } from '@sallyport/webhooks/handshakes'
import { eitherTime } from '../either-time.ts'

/** Zoom: webhooks of an app. */
export const zoom = defineService({
  name: 'zoom',
  createsSecret: true,
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: 'x-zm-signature',
    prefix: 'v0=',
    // The last retry is 85 minutes after the first attempt, and can have its time.
    timestamp: eitherTime({ header: 'x-zm-request-timestamp', toleranceSeconds: 7200 }),
    content: ({ timestamp, body }) => ['v0:', timestamp, ':', body],
  }),
  kind: 'event',
  ignore: ['download_token'],
  subject: ['payload.account_id', 'payload.object.id'],
  time: 'event_ts',
  handshake: zoomHandshake(),
})

export const facts: ServiceFacts = {
  title: 'Zoom',
  docs: 'https://developers.zoom.us/docs/api/webhooks/',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://developers.zoom.us/docs/api/webhooks/',
    'https://devsupport.zoom.us/hc/en-us/articles/360059893812-Webhook-delays',
    'https://github.com/zoom/rivet-javascript',
  ],
  setup: [
    'Open the app in the Zoom Marketplace, Features, Event subscriptions, and enter the address.',
    'The secret is the secret token of the app.',
    'Validate the address there: Zoom repeats the check every 72 hours.',
  ],
  retries: 'three times, after 5, 20 and 60 minutes',
  traps: [
    'The signed time is in seconds, and in milliseconds for some events: both are accepted. It may be two hours old, because the sources do not say whether a retry has a new time.',
    'Zoom can send `recording.completed` twice with another address and token of the download: these are two events.',
  ],
}
