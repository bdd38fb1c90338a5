import { defineService, sharedToken, type ServiceFacts } from '@sallyport/webhooks'
import { echoHandshake } from '@sallyport/webhooks/handshakes'

/** RingCentral: webhook subscriptions with a verification token. */
export const ringcentral = defineService({
  name: 'ringcentral',
  signature: sharedToken({ header: 'verification-token' }),
  kind: (event) => readKind(event),
  subject: 'event',
  time: 'timestamp',
  // RingCentral needs the content type of JSON.
  handshake: echoHandshake({
    from: { header: 'validation-token' },
    as: { header: 'validation-token', json: 'validationToken' },
  }),
})

/** The words of the event filter without ids, such as `extension.message-store`. */
function readKind(event: unknown): string | undefined {
  const { event: filter } = Object(event) as { readonly event?: unknown }
  if (typeof filter !== 'string') return undefined
  const [path = ''] = filter.split('?', 1)
  const words = path.split('/').filter((word) => /^[A-Za-z][A-Za-z-]*$/.test(word))
  return words.filter((word) => !['restapi', 'account'].includes(word)).join('.') || undefined
}

export const facts: ServiceFacts = {
  title: 'RingCentral',
  docs: 'https://developers.ringcentral.com/guide/notifications/webhooks/receiving',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://github.com/ringcentral/ringcentral-api-docs/blob/main/docs/notifications/webhooks/receiving.md',
    'https://github.com/ringcentral/ringcentral-api-docs/blob/main/docs/notifications/webhooks/creating-webhooks.md',
  ],
  setup: [
    'Create a subscription with `transportType: "WebHook"`, the address and a random text as `verificationToken` in `deliveryMode` with the API.',
    'The secret is the verification token.',
    'Renew the subscription before it expires.',
  ],
  retries: 'unknown',
  traps: [
    'The token says nothing about the body: read the data with the API before you act on it.',
    'The kind is the event filter without its ids, such as `extension.message-store`.',
    'RingCentral waits 3 seconds for the response.',
  ],
}
