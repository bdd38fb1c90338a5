import { defineService, hmac, signedTime, type ServiceFacts } from '@sallyport/webhooks'

/** HubSpot: webhooks of an app, with signatures of version 3. */
export const hubspot = defineService({
  name: 'hubspot',
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'base64',
    header: 'x-hubspot-signature-v3',
    timestamp: signedTime({ header: 'x-hubspot-request-timestamp', unit: 'ms', toleranceSeconds: 300 }),
    content: ({ method, url, body, timestamp }) => [method, decodeUrl(url), body, timestamp],
  }),
  events: '*',
  kind: 'subscriptionType',
  id: ['eventId', 'subscriptionId', 'objectId', 'occurredAt'],
  subject: ['portalId', 'objectId'],
  time: 'occurredAt',
})

/** HubSpot decodes these characters of the URL before it signs. */
const decoded = /%(?:3A|2F|3F|40|21|24|27|28|29|2A|2C|3B)/gi

const decodeUrl = (url: string): string => url.replaceAll(decoded, decodeURIComponent)

/** The facts for the documentation. */
export const facts: ServiceFacts = {
  title: 'HubSpot',
  docs: 'https://developers.hubspot.com/docs/apps/legacy-apps/authentication/validating-requests',
  confidence: 'primary',
  setup: [
    'Open the app, Webhooks, enter the address as target URL, and create subscriptions.',
    'The secret is the client secret of the app.',
    'Set the public address of the server exactly as it is entered: HubSpot signs it.',
  ],
  retries: 'up to ten times within 24 hours',
  traps: [
    '`attemptNumber` changes between attempts, and `eventId` alone is not unique: the id has four fields.',
    'The signatures of version 1 and 2 are not accepted.',
  ],
}
