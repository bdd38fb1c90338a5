import { defineService, hmac, type ServiceFacts } from '@sallyport/webhooks'

/** Heroku: webhooks of apps. */
export const heroku = defineService({
  name: 'heroku',
  signature: hmac({ algorithm: 'sha256', encoding: 'base64', header: 'heroku-webhook-hmac-sha256' }),
  kind: ['webhook_metadata.event.include', 'action'],
  ignore: ['webhook_metadata.attempt'],
  subject: ['data.app.id', 'data.id'],
  time: 'created_at',
})

export const facts: ServiceFacts = {
  title: 'Heroku',
  docs: 'https://devcenter.heroku.com/articles/app-webhooks',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://devcenter.heroku.com/articles/app-webhooks',
    'https://devcenter3.assets.heroku.com/articles/addon-webhooks',
  ],
  setup: [
    'Open the app, More, View webhooks, and create a webhook with the address, or run `heroku webhooks:add`.',
    'The secret is the one that you enter, or the header `Heroku-Webhook-Secret` of the answer.',
  ],
  retries: 'for up to 72 hours with the level `sync`; never with `notify`',
  traps: [
    '`webhook_metadata.attempt` makes the bodies of two attempts different: the hash of the body omits it.',
  ],
}
