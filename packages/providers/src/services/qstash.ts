import { defineService, type ServiceFacts } from '@sallyport/webhooks'
import { jwt } from '@sallyport/webhooks/jwt'
import { hashMessage, readMessage } from '../qstash-message.ts'

/** QStash (Upstash): messages, schedules and callbacks. */
export const qstash = defineService({
  name: 'qstash',
  signature: {
    ...jwt({
      header: 'upstash-signature',
      algorithms: ['HS256'],
      // QStash writes the hash with padding, so that `check` compares it.
      claim: false,
      claims: { iss: 'Upstash' },
      requiredClaims: ['iat', 'exp'],
      check: async ({ sub, body: claimed }, { body, url }) => {
        const hash = await hashMessage(body)
        return [hash, hash.slice(0, -1)].includes(String(claimed)) && (url === undefined || sub === url)
      },
      createClaims: async ({ body, url }) => ({ ...(url && { sub: url }), body: await hashMessage(body) }),
    }),
    covers: 'body',
  },
  parse: readMessage,
  kind: () => 'message',
  distinct: true,
  deliveryId: { header: 'upstash-message-id' },
})

export const facts: ServiceFacts = {
  title: 'QStash',
  docs: 'https://upstash.com/docs/qstash/howto/signature',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://upstash.com/docs/qstash/howto/signature',
    'https://upstash.com/docs/qstash/features/security',
    'https://upstash.com/docs/qstash/howto/receiving',
    'https://upstash.com/docs/qstash/features/retry',
    'https://github.com/upstash/qstash-js/blob/main/src/receiver.ts',
  ],
  setup: [
    'Publish a message to the address, or create a schedule with it.',
    'The secrets are the current and the next signing key of the QStash page in the console. QStash signs with the next key after a rotation.',
  ],
  retries:
    'as often as the plan or `Upstash-Retries` says, after 12 seconds, 2 and 30 minutes, 6 hours and then daily; a response with `Upstash-NonRetryable-Error` ends the attempts',
  traps: [
    'The publisher chooses the body, and two messages can have equal bodies: `upstash-message-id`, which all attempts repeat, tells them apart. The header is not signed: until the token expires, a captured delivery under an invented id is a new event.',
    'The token names the address: with a public address, the gateway refuses a token for another one.',
    'Each region of a multi-region account has its own signing keys: configure the keys of all regions.',
  ],
}
