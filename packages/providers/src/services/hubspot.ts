import { defineService, hmac, signedTime, type ServiceFacts } from '@sallyport/webhooks'

/** HubSpot: webhooks of an app, with signatures of version 3. */
export const hubspot = defineService({
  name: 'hubspot',
  createsSecret: true,
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'base64',
    header: 'x-hubspot-signature-v3',
    timestamp: signedTime({ header: 'x-hubspot-request-timestamp', unit: 'ms', toleranceSeconds: 300 }),
    content: ({ method, url, body, timestamp }) => [method, decodeUrl(url), body, timestamp],
  }),
  events: '*',
  kind: 'subscriptionType',
  // `eventId` is not unique. A retry can have a part of the events.
  regroups: true,
  ignore: ['attemptNumber'],
  subject: ['portalId', (event) => getObjectId(event)],
  time: 'occurredAt',
})

/** HubSpot decodes these characters of the URL before it signs. */
const decoded = /%(?:3A|2F|3F|40|21|24|27|28|29|2A|2C|3B)/gi

const decodeUrl = (url: string): string => url.replaceAll(decoded, decodeURIComponent)

/** A change of an association has two objects. */
function getObjectId(event: unknown): unknown {
  const { objectId, fromObjectId } = Object(event) as Readonly<Record<string, unknown>>
  return objectId ?? fromObjectId
}

export const facts: ServiceFacts = {
  title: 'HubSpot',
  docs: 'https://developers.hubspot.com/docs/apps/legacy-apps/authentication/validating-requests',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://developers.hubspot.com/docs/apps/legacy-apps/authentication/validating-requests',
    'https://developers.hubspot.com/docs/api/webhooks',
    'https://developers.hubspot.com/changelog/new-subscription-types-for-webhooks',
    'https://developers.hubspot.com/changelog/bugfix-webhook-associationchanges',
    'https://github.com/HubSpot/hubspot-api-nodejs/blob/master/src/utils/signature.ts',
  ],
  setup: [
    'Open the app, Webhooks, enter the address as target URL, and create subscriptions.',
    'The secret is the client secret of the app.',
    'Set the public address of the server exactly as it is entered: HubSpot signs it.',
  ],
  retries: 'up to ten times within 24 hours',
  traps: [
    '`attemptNumber` changes between attempts, and `eventId` is not unique: all other fields of an event identify it.',
    'A change of an association has `fromObjectId` and `toObjectId` instead of `objectId`. HubSpot sends it for both objects.',
    'The signatures of version 1 and 2 are not accepted.',
  ],
}
