import {
  bodyToken,
  defineService,
  formField,
  type SignatureScheme,
  type ServiceFacts,
} from '@sallyport/webhooks'

const token: SignatureScheme = bodyToken('verification_token')

const encode = (text: string) => new TextEncoder().encode(text)
const encodeForm = (json: Uint8Array | undefined) =>
  encode(new URLSearchParams({ data: new TextDecoder().decode(json) }).toString())

/** Ko-fi: webhooks of a page. */
export const koFi = defineService({
  name: 'ko-fi',
  createsSecret: true,
  signature: {
    ...token,
    verify: ({ method, headers, body }, secrets, now) => {
      const json = formField(body, 'data') ?? ''
      return token.verify({ method, headers, body: encode(json) }, secrets, now)
    },
    signBody: async (...request) => encodeForm(await token.signBody?.(...request)),
    redactBody: (body) => {
      const json = encode(formField(body, 'data') ?? '')
      const redacted = token.redactBody?.(json)
      if (redacted === json) return body
      return redacted?.length ? encodeForm(redacted) : new Uint8Array()
    },
  },
  kind: 'type',
  id: 'message_id',
  subject: ['kofi_transaction_id', 'message_id'],
  time: 'timestamp',
})

export const facts: ServiceFacts = {
  title: 'Ko-fi',
  docs: 'https://ko-fi.com/manage/webhooks',
  confidence: 'secondary',
  checked: '2026-11',
  sources: [
    'https://ko-fi.com/manage/webhooks',
    'https://meta.discourse.org/t/is-it-possible-to-catch-a-request-from-a-third-party-service-in-a-theme-component/255047',
  ],
  identity:
    'https://meta.discourse.org/t/is-it-possible-to-catch-a-request-from-a-third-party-service-in-a-theme-component/255047',
  setup: [
    'Open More, API, Webhooks, and enter the address.',
    'The secret is the verification token in Advanced on that page.',
  ],
  retries: 'several times with the same `message_id`, until the status is 200',
  traps: [
    'The token says nothing about the body. Events do not contain the token.',
    'Ko-fi posts a form with JSON in the field `data`.',
  ],
}
