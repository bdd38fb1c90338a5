import { defineService, hmac, parseJson, type ServiceFacts } from '@sallyport/webhooks'

/** NOWPayments: instant payment notifications. */
export const nowpayments = defineService({
  name: 'nowpayments',
  createsSecret: true,
  signature: hmac({ algorithm: 'sha512', encoding: 'hex', header: 'x-nowpayments-sig', forms: sortedJson }),
  kind: (event) => {
    const { payment_status, status } = Object(event) as Readonly<Record<string, string | undefined>>
    return payment_status ?? (status && `payout.${status}`)
  },
  subject: ['order_id', 'payment_id', 'id'],
  time: ['updated_at', 'created_at'],
})

function* sortedJson(body: Uint8Array): Generator<Uint8Array> {
  let payload: unknown
  try {
    payload = parseJson(body, 'number')
  } catch {
    return
  }
  yield new TextEncoder().encode(JSON.stringify(sortMembers(payload)))
}

function sortMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortMembers)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(members.map(([name, member]) => [name, sortMembers(member)]))
}

export const facts: ServiceFacts = {
  title: 'NOWPayments',
  docs: 'https://nowpayments.io/help/what-is/what-is-ipn',
  confidence: 'primary',
  checked: '2026-11',
  sources: [
    'https://nowpayments.zendesk.com/hc/en-us/articles/21395546303389-IPN-and-how-to-setup',
    'https://documenter.gw.postman.com/view/metadata/T1DtdF9a',
  ],
  setup: [
    'Open Settings, Payments, Instant payment notifications, and create a secret key.',
    'Send the address as `ipn_callback_url` of each payment.',
    'The secret is the IPN secret key. NOWPayments shows it once.',
  ],
  retries: 'unknown',
  traps: [
    'NOWPayments signs JSON with sorted members: the event has this form.',
    'The payload has no id of the event: the id is the hash of the signed form.',
    'Notifications of payouts have `status` instead of `payment_status`: their kind begins with `payout`.',
  ],
}
