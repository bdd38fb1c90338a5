import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

interface Webhook {
  readonly type?: unknown
}

/** Nango: webhooks of an environment. */
export const nango = defineService({
  name: 'nango',
  createsSecret: true,
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-nango-hmac-sha256' }),
  kind: ['type', 'operation'],
  // A failed refresh and a forwarded webhook have no time of their own.
  distinct: (event) => !['sync', 'async_action'].includes(String((Object(event) as Webhook).type)),
  subject: ['providerConfigKey', 'connectionId'],
  time: ['failedAt', 'modifiedAfter'],
})

export const facts: ServiceFacts = {
  title: 'Nango',
  docs: 'https://nango.dev/docs/guides/platform/webhooks-from-nango',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://www.nango.dev/docs/guides/platform/webhooks-from-nango.md',
    'https://nango.dev/docs/guides/platform/webhook-forwarding',
    'https://nango.dev/docs/changelog/dev-updates',
    'https://github.com/NangoHQ/nango/blob/master/packages/webhooks/lib/utils.ts',
    'https://github.com/NangoHQ/nango/blob/master/packages/types/lib/webhooks/api.ts',
  ],
  setup: [
    'Open Environment Settings, Webhook URLs, and enter the address.',
    'The secret is the webhook signing key of the environment, or its secret key where no signing key exists.',
  ],
  retries: 'two attempts; the timeout is 20 seconds',
  traps: [
    'A webhook that Nango cannot attribute to a connection is forwarded as it is: its kind is `unknown`, or the `type` of the other service.',
    'Webhooks about connections and forwarded webhooks can be equal, so that each delivery of them is a new event.',
    'The provider does not read the older header `x-nango-signature`, which is a hash without HMAC.',
  ],
}
