import { defineService, ecdsa, type ServiceFacts } from '@sallyport/webhooks'
import { createKeyLookup, fetchDocument } from '@sallyport/webhooks/keys'
import { fixedHandshake } from '@sallyport/webhooks/handshakes'

interface PublicKeyResponse {
  readonly data?: { readonly publicKey?: string }
}

/** Finds a key by its id and an API key. */
const findKey = createKeyLookup({
  async load(source) {
    const [id = '', secret = ''] = source.split(' ')
    const text = await fetchDocument(`https://api.circle.com/v2/notifications/publicKey/${id}`, {
      hosts: ['api.circle.com'],
      init: { headers: { authorization: `Bearer ${secret}` } },
    })
    return (JSON.parse(text) as PublicKeyResponse).data?.publicKey
  },
})

/** Circle: notifications of version 2. */
export const circle = defineService({
  name: 'circle',
  signature: ecdsa({
    header: 'x-circle-signature',
    encoding: 'base64',
    keyEncoding: 'der',
    keys: async (secrets, { headers }) => {
      const id = headers.get('x-circle-key-id') ?? ''
      if (!/^[\da-f-]{36}$/.test(id)) return []
      const found = await Promise.all(
        secrets.filter((secret) => secret !== '').map((secret) => findKey(`${id} ${secret}`)),
      )
      return found.flatMap((key) => key ?? [])
    },
  }),
  kind: 'notificationType',
  id: 'notificationId',
  subject: ['notification.walletId', 'notification.id', 'subscriptionId'],
  time: 'timestamp',
  handshake: fixedHandshake({ methods: ['HEAD'] }),
})

export const facts: ServiceFacts = {
  title: 'Circle',
  docs: 'https://developers.circle.com/wallets/webhook-notifications',
  confidence: 'secondary',
  checked: '2026-11',
  sources: [
    'https://developers.circle.com/api-reference/webhooks',
    'https://developers.circle.com/wallets/webhook-notifications',
    'https://developers.circle.com/cpn/references/webhook-retries',
  ],
  identity: 'https://developers.circle.com/api-reference/webhooks',
  setup: [
    'Open Webhooks in the developer console, and add an endpoint with the address.',
    'The secret is an API key, with which the provider reads the public keys of Circle.',
  ],
  retries: '11 times within about 36 hours, as documented for the payments network',
  traps: ['Notifications of version 1, such as those of Circle Mint, come from Amazon SNS: use `sns`.'],
}
