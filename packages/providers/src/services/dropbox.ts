import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'
import { echoHandshake } from '@sallyport/webhooks/handshakes'

/** Dropbox: webhooks of an app. */
export const dropbox = defineService({
  name: 'dropbox',
  createsSecret: true,
  signature: hmac({ algorithm: 'sha256', encoding: 'hex', header: 'x-dropbox-signature' }),
  kind: (event) => Object.keys(Object(event) as object)[0],
  distinct: true,
  handshake: echoHandshake({ from: { query: 'challenge' } }),
})

export const facts: ServiceFacts = {
  title: 'Dropbox',
  docs: 'https://www.dropbox.com/developers/reference/webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://www.dropbox.com/developers/reference/webhooks',
    'https://github.com/dropbox/mdwebhook/blob/master/app.py',
  ],
  setup: ['Open the App Console, the app, Webhooks, and enter the address.', 'The secret is the app secret.'],
  retries: 'with growing delays within about ten minutes, until the answer is 200',
  traps: [
    'The payload has only the ids of accounts: list the changes with the API.',
    'Two changes have equal bodies and no id: each delivery is a new event, and a retry is one, too.',
  ],
}
