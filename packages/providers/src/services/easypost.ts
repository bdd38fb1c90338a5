import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** EasyPost: webhooks of an account. */
export const easypost = defineService({
  name: 'easypost',
  signature: hmac({
    algorithm: 'sha256',
    encoding: 'hex',
    header: 'x-hmac-signature',
    prefix: 'hmac-sha256-hex=',
    key: (secret) => secret.normalize('NFKD'),
  }),
  kind: 'description',
  ignore: ['status', 'pending_urls', 'completed_urls', 'updated_at'],
  subject: ['result.object', 'result.id'],
  time: 'created_at',
})

export const facts: ServiceFacts = {
  title: 'EasyPost',
  docs: 'https://docs.easypost.com/guides/webhooks-guide',
  confidence: 'primary',
  checked: '2026-11',
  sources: ['https://docs.easypost.com/guides/webhooks-guide', 'https://docs.easypost.com/docs/events'],
  setup: [
    'Open Account, Webhooks and Events, and add a webhook with the address and a secret, or use the API.',
    'The secret is the one that you chose.',
  ],
  retries: 'after a status other than 2xx',
  traps: [
    'The name of the event is the member `description`.',
    'The members that count the attempts change between them: the hash of the body omits them.',
  ],
}
