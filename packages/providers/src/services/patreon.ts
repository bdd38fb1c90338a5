import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'
import { listNames, readPath } from '../agreement.ts'

/** Patreon: webhooks of a creator. */
export const patreon = defineService({
  name: 'patreon',
  createsSecret: true,
  signature: hmac({ algorithm: 'md5', encoding: 'hex', header: 'x-patreon-signature' }),
  kind: { header: 'x-patreon-event' },
  // Only posts have a time. A member can return to a former state.
  distinct: (event) => readPath(event, 'data.type') !== 'post',
  subject: ['data.type', 'data.id'],
  names: listNames({
    'members:': 'create update delete pledge:create pledge:update pledge:delete',
    'pledges:': 'create update delete',
    'posts:': 'publish update delete',
  }),
  // The name begins with the plural of the type.
  agrees: ({ headers, payload }) =>
    (headers.get('x-patreon-event') ?? '').startsWith(`${String(readPath(payload, 'data.type'))}s:`),
})

export const facts: ServiceFacts = {
  title: 'Patreon',
  docs: 'https://docs.patreon.com/#webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://docs.patreon.com/#webhooks',
    'https://github.com/Patreon/platform-documentation/blob/master/source/includes/_webhooks_v2.md',
  ],
  setup: [
    'Open the platform portal, My Webhooks, and add a webhook with the address.',
    'The secret is the secret of the webhook.',
  ],
  retries: 'after 1 hour, 3 hours and 1 day',
  traps: [
    'The name of the event is in a header that is not signed. Its first part must agree with the type in the signed body.',
    'A captured delivery can still become another event of its type, such as `members:delete` for `members:create`: set `only` of an endpoint to one event, and read the member with the API before you act on it.',
    'A member and a pledge have no time, and two changes can have equal bodies: each delivery is an event, a repeated attempt too.',
    'Patreon signs with HMAC-MD5 only.',
  ],
}
