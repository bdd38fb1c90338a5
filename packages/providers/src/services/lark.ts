import { defineService, type ServiceFacts } from '@sallyport/webhooks'
import { larkHandshake, larkRequest } from '../lark-request.ts'

/** Lark and Feishu: events and callbacks of an app with an Encrypt Key. */
export const lark = defineService({
  name: 'lark',
  signature: larkRequest,
  kind: (event) => {
    const { header, event: content, type } = Object(event) as Payload
    return header?.event_type ?? content?.type ?? type
  },
  subject: ['header.app_id', 'header.tenant_key'],
  time: ['header.create_time', 'ts'],
  handshake: larkHandshake,
  answer: { status: 200, contentType: 'application/json', body: '{}' },
})

/** An event of version 2 has a header, and an event of version 1 has its type in the content. */
interface Payload {
  readonly header?: { readonly event_type?: string }
  readonly event?: { readonly type?: string }
  readonly type?: string
}

export const facts: ServiceFacts = {
  title: 'Lark',
  docs: 'https://open.larkoffice.com/document/server-docs/event-subscription-guide/overview.md',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://open.larkoffice.com/document/ukTMukTMukTM/uYDNxYjL2QTM24iN0EjN/event-subscription-configure-/encrypt-key-encryption-configuration-case.md',
    'https://open.larkoffice.com/document/ukTMukTMukTM/uYDNxYjL2QTM24iN0EjN/event-subscription-configure-/choose-a-subscription-mode/send-notifications-to-developers-server.md',
    'https://github.com/larksuite/node-sdk/blob/main/dispatcher/request-handle.ts',
    'https://github.com/larksuite/node-sdk/blob/main/utils/aes-cipher.ts',
  ],
  setup: [
    'Open the app, Events and Callbacks, Encryption Strategy, and set an Encrypt Key first: Lark signs only with it. The secret is this key.',
    'Select sending to a server, and enter the address as request URL. The gateway answers the challenge.',
  ],
  retries: 'four times: after 15 seconds, 5 minutes, 1 hour and 6 hours',
  traps: [
    'The event is the decrypted body. Its `token` is the Verification Token of the app: the signature replaces it.',
    'The signed time has no tolerance, because Lark does not say whether an attempt renews it.',
    'Events by long connection do not use webhooks. Old message cards have another signature, with SHA-1, and are refused.',
  ],
}
